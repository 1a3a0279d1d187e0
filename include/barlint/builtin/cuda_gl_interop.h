// OpenGL: buffers and textures that kernels share with it.
#ifndef BARLINT_CUDA_GL_INTEROP_H
#define BARLINT_CUDA_GL_INTEROP_H

#include "barlint_core.h"

enum cudaGLDeviceList {
    cudaGLDeviceListAll = 1,
    cudaGLDeviceListCurrentFrame = 2,
    cudaGLDeviceListNextFrame = 3
};
enum cudaGLMapFlags { cudaGLMapFlagsNone, cudaGLMapFlagsReadOnly, cudaGLMapFlagsWriteDiscard };
BARLINT_RT_ANY(cudaGraphicsGLRegisterBuffer)
BARLINT_RT_ANY(cudaGraphicsGLRegisterImage)
BARLINT_RT_ANY(cudaGLGetDevices)
BARLINT_RT_ANY(cudaGLSetGLDevice)
BARLINT_RT_ANY(cudaGLRegisterBufferObject)
BARLINT_RT_ANY(cudaGLUnregisterBufferObject)
BARLINT_RT_ANY(cudaGLMapBufferObject)
BARLINT_RT_ANY(cudaGLMapBufferObjectAsync)
BARLINT_RT_ANY(cudaGLUnmapBufferObject)
BARLINT_RT_ANY(cudaGLUnmapBufferObjectAsync)
BARLINT_RT_ANY(cudaGLSetBufferObjectMapFlags)

#endif
