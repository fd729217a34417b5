# What is made for other machines: bundle, wheel, packages of Debian, the plug-in for QGIS, a release.

# BUNDLE_ROOT=debian11: built in a Debian 11 of its own (root and debootstrap), for machines with an older glibc
# BUNDLE_VERIFY=yes: with sciara_verify, for `make verify-gpu` on a machine that cannot build
BUNDLE_ROOT ?=
BUNDLE_VERIFY ?=
BUNDLE = $(BUILD)/bundle/sciara-$(VERSION)-$(shell uname -m)
BUNDLED = $(if $(BUNDLE_VERIFY),$(BIN),$(filter-out %/sciara_verify,$(BIN)))
CUDA_LICENSES = EULA.txt dist-info/nvidia_cuda_runtime-*/licenses/License.txt
CUDA_LICENSE = $(if $(NVCC),$(firstword $(wildcard $(addprefix $(dir $(NVCC))../,$(CUDA_LICENSES)))))
.PHONY: bundle wheel qgis deb release
ifneq ($(BUNDLE_ROOT),)
bundle:
	tools/build-in $(BUNDLE_ROOT) $(BUILD) bundle 'NVCC=$(NVCC)' 'CUDA_ARCH=$(CUDA_ARCH)' 'BUNDLE_VERIFY=$(BUNDLE_VERIFY)'
else
bundle: all ## a folder and tarball that run on other machines; BUNDLE_ROOT=debian11 for older ones
	LIBRARY=$(BUILD)/lib/libsciara.so CUDA_LICENSE='$(CUDA_LICENSE)' tools/bundle $(VERSION) $(BUILD)/bundle $(BUNDLED)
endif

# Of a bundle that was built in the oldest Debian that is still to be had, unless BUNDLE_ROOT says otherwise (here, if
# it is empty)
wheel: ## a wheel for pip, with the command, the library and all that they need (root and debootstrap)
	@$(MAKE) --no-print-directory 'BUNDLE_ROOT=$(if $(filter file,$(origin BUNDLE_ROOT)),debian11,$(BUNDLE_ROOT))' bundle
	tools/wheel $(BUNDLE) $(BUILD)/wheel $(shell tools/version)

qgis: ## the ZIP of the plug-in for QGIS in $(BUILD)/qgis: docs/qgis.md
	@tools/qgis-plugin $(BUILD)/qgis

DEB_ROOT ?= debian12 debian13
deb: ## packages for Debian, each built in that Debian (root and debootstrap)
	@for root in $(DEB_ROOT); do tools/build-in $$root $(BUILD) deb || exit 1; done

release: ## all that goes with a version, built, packed and tried: DATE=2026-12-31, today if there is none
	NVCC='$(NVCC)' BUILD='$(BUILD)' tools/release $(DATE)
