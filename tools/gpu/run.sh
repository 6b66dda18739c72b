#!/bin/bash
# Train and measure networks on a machine with a GPU: run this there, in a folder with build/gpu. It writes results to $OUT.
#
#   bash build/gpu/run.sh check                                      # test everything in about 2 minutes
#   bash build/gpu/run.sh train MINUTES [argentum train's options]   # write checkpoint, log and network to $OUT
#   bash build/gpu/run.sh arena NETWORK OPPONENT GAMES BOXES PLAYERS # measure win rates on all cores
#
# A checkpoint is written in parts of 15 MiB, which `cat checkpoint.pt.* > checkpoint.pt` joins. If the parts were packed,
# this script joins them, and `train` can continue with --resume build/gpu/checkpoint.pt.
set -uo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH=$HERE/lib PYTHONUNBUFFERED=1
OUT=${OUT:-$HERE/out}
mkdir -p "$OUT"
if ! python3 -c "import argentum.rules.table as table, argentum.observations._encode; assert table.__file__.endswith('.so')"; then
    echo "The compiled build does not run here: pack it with PYTHON=$(python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])')"
    exit 1
fi
if [ -e "$HERE/checkpoint.pt.aa" ] && [ ! -e "$HERE/checkpoint.pt" ]; then cat "$HERE"/checkpoint.pt.* > "$HERE/checkpoint.pt"; fi

# Copy the results of a run to $OUT, with the checkpoint in parts.
copy_results() {
    cp "$1/log.jsonl" "$OUT/" 2>/dev/null
    [ -e "$1/checkpoint.pt" ] || return 1
    python3 -m argentum train --resume "$1/checkpoint.pt" --export "$1/network.npz" && cp "$1/network.npz" "$OUT/"
    split -b 15M "$1/checkpoint.pt" "$OUT/checkpoint.pt."
    ls -la "$OUT"
}

STEADY=()
if [ -d "$HERE/steady" ]; then STEADY=(--set "imitation.dataset=$HERE/steady"); fi
measure() { python3 -m argentum arena "new@$1" "$2" --boxes random --players 2 --games "$3" --seed "${SEED:-5001}" | tee -a "$OUT/arena.txt"; }

case ${1:-} in
check)
    nvidia-smi --query-gpu=name,memory.total --format=csv,noheader; nproc
    RUN=$(mktemp -d)
    python3 -m argentum train --config gpu --out "$RUN" --minutes 2 "${STEADY[@]}" --set imitation.decisions=100000 \
        --set imitation.epochs=1 --set league.interval=2000000 "${@:2}" | cut -c1-900
    copy_results "$RUN" && measure "$RUN/network.npz" steady 200
    ;;
train)
    RUN=$(mktemp -d)
    python3 -m argentum train --out "$RUN" --minutes "$2" "${STEADY[@]}" "${@:3}" | cut -c1-700
    copy_results "$RUN" && measure "$RUN/network.npz" steady 400
    ;;
arena)
    time python3 -m argentum arena "$2" "$3" --games "$4" --boxes "$5" --players "$6" --seed "${SEED:-7001}" | tee -a "$OUT/arena.txt"
    ;;
*)
    sed -n '2,9p' "$0"; exit 2
    ;;
esac
