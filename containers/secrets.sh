#!/bin/sh
# usage: containers/secrets.sh [FOLDER]
# Makes the secrets of compose.yaml, once, each in a file of the folder, which is containers/secrets unless another is
# named. Who runs the containers may enter it, and nobody else; the files themselves, which containers get one by one, are
# for whatever user a container has.
set -eu

folder=${1:-$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)/secrets}
[ ! -e "$folder" ] || {
    echo "$folder is there already and stays as it is" >&2
    exit
}

bits() { # 256 of them, as base64url
    head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'
}

# Whoever is cut off midway leaves nothing that looks whole.
umask 077
rm -rf "$folder.part"
mkdir -p "$folder.part"
echo "$(bits)" >"$folder.part/database-password"
echo "eqp_$(bits)" >"$folder.part/administrator-token"
echo "eqj_$(bits)" >"$folder.part/join-token"
chmod 644 "$folder.part"/*
mv "$folder.part" "$folder"
echo "the secrets are in $folder"
