#!/bin/sh
# usage: ./equipoise packages [FOLDER]
#
# Packs the current build with a Java runtime, for Linux on this machine's platform: service, agent and command line as
# an archive, the agent alone as another, and both as Debian packages. A list of checksums names the files.
set -eu

home=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
. "$home/containers/lay-out.sh"

usage() {
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
}

case ${1:-} in
    --help | -h) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
esac
mkdir -p "${1:-$home/target/packages}"
folder=$(cd "${1:-$home/target/packages}" && pwd)
work=$home/target/package
version=$(version)
made=''

tell() { # FILE
    made="$made $1"
    echo "$folder/$1"
}

# Adds systemd units and their settings.
add_units() { # FOLDER MODULES
    mkdir "$1/systemd"
    for module in $2; do
        install -m 644 "$home/$module/src/main/package"/systemd/* "$home/$module/src/main/package"/debian/*.env "$1/systemd/"
    done
}

pack_archive() { # NAME FOLDER OF $work
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --transform "s:^$2:$1:" -czf "$folder/$1.tar.gz" "$2"
    tell "$1.tar.gz"
}

# Prints the oldest glibc with all symbols that the packed Java runtime needs; at least 2.34.
required_glibc() {
    { echo GLIBC_2.34 && grep -rahoE 'GLIBC_2\.[0-9]+' "$work/release/runtime" || true; } |
        sort -uV | tail -n 1 | cut -d _ -f 2
}

# Begins the root of a Debian package with the systemd unit, its settings and the scripts of a module.
begin_debian() { # ROOT MODULE
    source=$home/$2/src/main/package
    mkdir -p "$1/DEBIAN" "$1/opt" "$1/usr/bin" "$1/lib/systemd/system" "$1/etc/equipoise"
    install -m 644 "$source"/systemd/* "$1/lib/systemd/system/"
    install -m 644 "$source"/debian/*.env "$1/etc/equipoise/"
    install -m 755 "$source/debian/postinst" "$source/debian/prerm" "$source/debian/postrm" "$1/DEBIAN/"
    (cd "$1" && find etc -type f | sed 's:^:/:') >"$1/DEBIAN/conffiles"
}

pack_debian() { # PACKAGE ROOT RELATIONS DESCRIPTION
    cat >"$2/DEBIAN/control" <<END
Package: $1
Version: $debian_version
Architecture: $architecture
Maintainer: Equipoise
Section: science
Priority: optional
Installed-Size: $(du -sk "$2" | cut -f 1)
$3
Description: $4
END
    dpkg-deb --root-owner-group -Zgzip --build "$2" "$folder/$1_${debian_version}_$architecture.deb" >/dev/null
    tell "$1_${debian_version}_$architecture.deb"
}

pack_debian_agent() {
    root=$work/debian/agent
    begin_debian "$root" worker-agent
    mv "$work/agent" "$root/opt/equipoise-agent"
    rm -r "$root/opt/equipoise-agent/systemd"
    ln -s /opt/equipoise-agent/bin/equipoise-agent "$root/usr/bin/equipoise-agent"
    pack_debian equipoise-agent "$root" "Depends: libc6 (>= $glibc), libstdc++6, zlib1g, passwd" \
        'worker agent of an Equipoise lab
 Lends this host to a lab that trains neural networks in parallel, until it is stopped. It brings a Java runtime
 of its own along.'
}

# Both packages can be on a host, so the agent is in its own package alone.
pack_debian_service() {
    root=$work/debian/service
    begin_debian "$root" app
    mv "$work/release" "$root/opt/equipoise"
    rm -r "$root/opt/equipoise/systemd" "$root/opt/equipoise/agent"
    ln -s ../equipoise-agent "$root/opt/equipoise/agent"
    ln -s /opt/equipoise/equipoise "$root/usr/bin/equipoise"
    pack_debian equipoise "$root" "Depends: libc6 (>= $glibc), libstdc++6, zlib1g, passwd
Recommends: equipoise-agent" \
        'service and command line of an Equipoise lab
 Plans, schedules and compares parallel trainings of neural networks on machines of unequal speed. It brings a
 Java runtime and a PostgreSQL server along. The commands that compute on this host need equipoise-agent.'
}

lay_out_agent "$work"
lay_out_release "$work/release"
list_components "$work/web.json" app,worker-agent,launcher
print_sbom worker-agent "$work/agent/lib" >"$work/agent/sbom.json"
cp "$work/agent/sbom.json" "$work/release/agent/"
print_sbom app "$work/release/service/lib" "$work/web.json" >"$work/release/service/sbom.json"
print_sbom launcher "$work/release/launcher/lib" >"$work/release/launcher/sbom.json"
add_units "$work/agent" worker-agent
add_units "$work/release" 'app worker-agent'

platform=$(platform_of "$work/agent/lib")
pack_archive "equipoise-$version-$platform" release
pack_archive "equipoise-agent-$version-$platform" agent

if command -v dpkg-deb >/dev/null; then
    case $platform in
        linux-aarch64) architecture=arm64 ;;
        *) architecture=amd64 ;;
    esac
    # Debian's order of versions: a snapshot comes before its release.
    debian_version=$(printf '%s' "$version" | sed 's/-SNAPSHOT$/~snapshot/')
    glibc=$(required_glibc)
    pack_debian_service
    pack_debian_agent
else
    echo "equipoise packages: no packages of Debian were made, as there is no dpkg-deb here" >&2
fi
(cd "$folder" && sha256sum $made >"equipoise-$version-$platform.sha256")
echo "$folder/equipoise-$version-$platform.sha256"
