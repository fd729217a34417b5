# sciara in a container, from a clone of the repository: with the CUDA variants, or for the CPU alone.
#
#     docker build -t sciara .
#     docker run --rm --gpus all -v "$PWD:/work" sciara run volcano.cfg
#
#     docker build --build-arg KIND=cpu -t sciara:cpu .
#     docker run --rm -v "$PWD:/work" sciara:cpu run volcano.cfg
#
# The image holds the bundle (make bundle) on a system whose C library is that of the one it was built on; the driver of
# the GPU comes from the host.
ARG KIND=cuda

FROM nvidia/cuda:13.0.0-devel-ubuntu24.04 AS build-cuda
FROM ubuntu:24.04 AS system-cuda
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility

FROM debian:13 AS build-cpu
FROM debian:13-slim AS system-cpu

FROM build-${KIND} AS build
RUN apt-get update && apt-get install --no-install-recommends -y git make
WORKDIR /sciara
COPY tools/dependencies tools/find-libraries tools/install-dependencies tools/
RUN tools/install-dependencies build
RUN tools/install-dependencies serve
RUN tools/install-dependencies gdal
RUN tools/install-dependencies netcdf
COPY . .
RUN make bundle && mv build/bundle/sciara-*-"$(uname -m)" /opt/sciara

FROM system-${KIND}
COPY --from=build /opt/sciara /opt/sciara
ENV PATH=/opt/sciara/bin:$PATH
WORKDIR /work
ENTRYPOINT ["sciara"]
CMD ["--help"]
