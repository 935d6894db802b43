#!/bin/sh
# Runs a fleet in a network namespace of its own whose packets are late by some 200 ms, of which one in a hundred is lost, and which
# is down for a minute. The run must have the bytes of one machine. A kernel without netem delays and loses nothing, and the script says
# so. As root, with iproute2 and nats-server:
#   scripts/fleet-network.sh [PROGRAM] [UNITS]
set -eu

program=$(realpath "${1:-target/release/learnery}")
units=${2:-100}
space=learnery-$$
folder=$(mktemp -d)
settings="--set learner=alphazero --set games=130 --set horizon=24 --set batch=64 --set reuse=0.2 --set replay=4000 \
  --set simulations=8 --set lambda=0.8 --set eval_every=0 --seed 7"

inside() { ip netns exec "$space" "$@"; }
clean() {
  for process in $(ip netns pids "$space" 2>/dev/null); do kill -9 "$process" 2>/dev/null || true; done
  ip netns delete "$space" 2>/dev/null || true
  rm -rf "$folder"
}
trap clean EXIT

ip netns add "$space"
inside ip link set lo up
inside tc qdisc add dev lo root netem delay 200ms 20ms distribution normal loss 1% 2>/dev/null ||
  echo "this kernel has no netem: no packet is late or lost"

cd "$folder"
# shellcheck disable=SC2086
inside "$program" fleet serve backgammon $settings --units "$units" --threads 1 --out run 2>serve.log &
serve=$!
until grep -qs "fleet watch" serve.log; do sleep 0.2; done
link=$(sed -n "s/.*fleet join '\(.*\)'.*/\1/p" serve.log)
for i in 1 2 3; do inside "$program" fleet join "$link" --threads 1 --name "actor$i" 2>"join$i.log" & done

sleep 20
echo "the network is down for a minute"
inside ip link set lo down
sleep 60
inside ip link set lo up
echo "the network is back"
wait "$serve" || { cat serve.log; exit 1; }

# shellcheck disable=SC2086
"$program" train backgammon $settings --units "$units" --threads 1 --out alone 2>train.log
if grep -q quarantine serve.log join*.log; then echo "somebody honest was suspected"; exit 1; fi
cmp run/last.safetensors alone/last.safetensors
echo "$units units: the bytes of one machine"
