# sciara in a container, from a clone of the repository:
#
#     docker build --target cpu -t sciara:cpu .
#     docker run --rm -v "$PWD:/work" sciara:cpu run volcano.cfg
#
#     docker build --target cuda -t sciara:cuda .
#     docker run --rm --gpus all -v "$PWD:/work" sciara:cuda run volcano.cfg
#
# The image holds the bundle (make bundle) on a system whose C library is that of the one it was built on; the driver of
# the GPU comes from the host.
ARG CPU_BUILD=debian:12
ARG CPU_SYSTEM=debian:12-slim
ARG CUDA_BUILD=nvidia/cuda:13.0.0-devel-ubuntu22.04
ARG CUDA_SYSTEM=ubuntu:22.04

FROM ${CPU_BUILD} AS build-cpu
RUN apt-get update && apt-get install --no-install-recommends -y git make
WORKDIR /sciara
COPY tools/dependencies tools/find-libraries tools/install-dependencies tools/
RUN tools/install-dependencies build
COPY . .
RUN make NVCC= bundle && mv build/bundle/sciara-*-"$(uname -m)" /opt/sciara

FROM ${CUDA_BUILD} AS build-cuda
RUN apt-get update && apt-get install --no-install-recommends -y git make
WORKDIR /sciara
COPY tools/dependencies tools/find-libraries tools/install-dependencies tools/
RUN tools/install-dependencies build
COPY . .
RUN make bundle && mv build/bundle/sciara-*-"$(uname -m)" /opt/sciara

FROM ${CPU_SYSTEM} AS cpu
COPY --from=build-cpu /opt/sciara /opt/sciara
ENV PATH=/opt/sciara/bin:$PATH
WORKDIR /work
ENTRYPOINT ["sciara"]
CMD ["--help"]

FROM ${CUDA_SYSTEM} AS cuda
COPY --from=build-cuda /opt/sciara /opt/sciara
ENV PATH=/opt/sciara/bin:$PATH NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
WORKDIR /work
ENTRYPOINT ["sciara"]
CMD ["--help"]
