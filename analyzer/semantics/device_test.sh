#!/bin/sh
# usage: device_test.sh compile|run NVCC INCLUDE_DIR SOURCE PROGRAM
# Compiles the semantics core as device code, or runs what was compiled. Exits with 77, after saying
# why, where it cannot.
set -u
mode=$1 nvcc=$2 include=$3 source=$4 program=$5

if ! command -v "$nvcc" >/dev/null 2>&1; then
    echo "skipped: no nvcc, the semantics core was not compiled as device code"
    exit 77
fi
if [ "$mode" = compile ]; then
    exec "$nvcc" -std=c++17 -gencode arch=compute_90a,code=sm_90a -Werror all-warnings \
        -I"$include" "$source" -o "$program"
fi
if [ ! -x "$program" ]; then
    echo "skipped: $program was not compiled"
    exit 77
fi
exec "$program"
