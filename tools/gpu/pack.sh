#!/bin/bash
# Pack what training and measuring need on a machine with a GPU that has only PyTorch and NumPy installed.
# The result is build/gpu. Copy it to that machine and run its `run.sh` there.
#
#   tools/gpu/pack.sh [FILE OR FOLDER ...]      # also pack these, such as games to imitate or checkpoints
#
# PYTHON is a Python of the version that the other machine has; by default, python3.12.
set -euo pipefail
cd "$(dirname "$0")/../.."
PYTHON=${PYTHON:-python3.12}
VENV=build/venv-gpu
TARGET=build/gpu
if [ ! -x $VENV/bin/mypy ]; then
    "$PYTHON" -m venv $VENV
    $VENV/bin/pip install --quiet setuptools mypy==2.4.1 $(grep -ohE '^(librt|click|numpy)==[0-9.]+' requirements/*.txt | sort -u)
fi
rm -rf $TARGET
ARGENTUM_COMPILE=1 $VENV/bin/python setup.py --quiet build --build-base build/gpu-base --build-lib $TARGET/lib
rm -rf $TARGET/lib/argentum/web/templates $TARGET/lib/argentum/web/static
find $TARGET/lib -name '*.so' -exec strip {} +
# Small packages that the other machine lacks, built for its version of Python.
for package in click mypy_extensions; do
    cp -r $VENV/lib/python3*/site-packages/$package* $TARGET/lib/ 2>/dev/null || true
done
cp tools/gpu/run.sh $TARGET/
for path in "$@"; do cp -r "$path" $TARGET/; done
du -sh $TARGET
