// NVTX ranges.
#ifndef BARLINT_NVTOOLSEXT_H
#define BARLINT_NVTOOLSEXT_H

#include "barlint_library.h"
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN,
    NVTX_MESSAGE_TYPE_ASCII,
    NVTX_MESSAGE_TYPE_UNICODE,
    NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
    NVTX_PAYLOAD_TYPE_INT64,
    NVTX_PAYLOAD_TYPE_DOUBLE,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
    NVTX_PAYLOAD_TYPE_INT32,
    NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef uint64_t nvtxRangeId_t;
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

inline int nvtxRangePushA(const char *) { return 0; }
inline int nvtxRangePushEx(const nvtxEventAttributes_t *) { return 0; }
inline int nvtxRangePop() { return 0; }
inline nvtxRangeId_t nvtxRangeStartA(const char *) { return 0; }
inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *) { return 0; }
inline void nvtxRangeEnd(nvtxRangeId_t) {}
inline void nvtxMarkA(const char *) {}
inline void nvtxMarkEx(const nvtxEventAttributes_t *) {}
inline nvtxDomainHandle_t nvtxDomainCreateA(const char *) { return nullptr; }
inline void nvtxDomainDestroy(nvtxDomainHandle_t) {}
inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t, const char *) {
    return nullptr;
}
inline int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t *) { return 0; }
inline int nvtxDomainRangePop(nvtxDomainHandle_t) { return 0; }
inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t, const nvtxEventAttributes_t *) {
    return 0;
}
inline void nvtxDomainRangeEnd(nvtxDomainHandle_t, nvtxRangeId_t) {}
inline void nvtxDomainMarkEx(nvtxDomainHandle_t, const nvtxEventAttributes_t *) {}
inline void nvtxNameCategoryA(uint32_t, const char *) {}
inline void nvtxNameOsThreadA(uint32_t, const char *) {}
template <typename S> void nvtxNameCudaStreamA(S, const char *) {}
inline void nvtxInitialize(const void *) {}
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCudaStream nvtxNameCudaStreamA

#endif
