#!/bin/sh
# usage: containers/secrets.sh [FOLDER]
# Makes the secrets of compose.yaml once, each in a file of the folder (default: containers/secrets). Only the user who
# runs the containers may enter the folder. The files are readable for every user of a container, which gets them one by
# one.
set -eu

folder=${1:-$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)/secrets}
[ ! -e "$folder" ] || {
    echo "$folder exists already and is left unchanged" >&2
    exit
}

bits() { # 256 bits as base64url
    head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'
}

# An interrupted run leaves no folder that looks complete.
umask 077
rm -rf "$folder.part"
mkdir -p "$folder.part"
echo "$(bits)" >"$folder.part/database-password"
echo "eqp_$(bits)" >"$folder.part/administrator-token"
echo "eqj_$(bits)" >"$folder.part/join-token"
chmod 644 "$folder.part"/*
mv "$folder.part" "$folder"
echo "the secrets are in $folder"
