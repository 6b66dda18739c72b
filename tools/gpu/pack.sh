#!/bin/bash
# Pack everything that a machine with a GPU needs to train and measure networks, except Python, PyTorch and NumPy.
# Writes the folder build/gpu, which is copied to that machine; `run.sh` runs there.
#
#   tools/gpu/pack.sh [FILE OR FOLDER ...]      # to pack also games to imitate or checkpoints
#
# PYTHON must have the version of the Python on that machine; the default is python3.12.
set -euo pipefail
cd "$(dirname "$0")/../.."
PYTHON=${PYTHON:-python3.12}
VENV=build/venv-gpu
TARGET=build/gpu
if [ ! -x $VENV/bin/mypy ]; then
    "$PYTHON" -m venv $VENV
    $VENV/bin/pip install --quiet setuptools mypy==2.4.1 $(grep -E '^(librt|click|numpy)==' requirements/*.txt -h | sort -u)
fi
rm -rf $TARGET
ARGENTUM_COMPILE=1 $VENV/bin/python setup.py --quiet build --build-base build/gpu-base --build-lib $TARGET/lib
rm -rf $TARGET/lib/argentum/web/templates $TARGET/lib/argentum/web/static
find $TARGET/lib -name '*.so' -exec strip {} +
# Small packages that are probably not installed on that machine.
for package in librt click mypy_extensions; do
    cp -r $VENV/lib/python3*/site-packages/$package* $TARGET/lib/ 2>/dev/null || true
done
cp tools/gpu/run.sh $TARGET/
for path in "$@"; do cp -r "$path" $TARGET/; done
du -sh $TARGET
