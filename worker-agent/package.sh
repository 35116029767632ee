#!/bin/sh
# usage: ./equipoise packages [FOLDER]
# The agent, with a runtime of its own, as an archive for any Linux of this machine's platform, and as a package of
# Debian. Called by ./equipoise packages.
set -eu

home=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
. "$home/containers/lay-out.sh"
case ${1:-} in
    -*)
        sed -n 's/^# //p' "$0" | head -n 1
        exit 2
        ;;
esac
mkdir -p "${1:-$home/target/packages}"
folder=$(cd "${1:-$home/target/packages}" && pwd)
work=$home/target/package
version=$(version)
files=$home/worker-agent/src/main/package

lay_out_agent "$work"
mkdir -p "$work/agent/systemd"
install -m 644 "$files/systemd/equipoise-agent.service" "$files/debian/agent.env" "$work/agent/systemd/"
platform=$(platform_of "$work/agent/lib")
name=equipoise-agent-$version-$platform
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --transform "s:^agent:$name:" -czf "$folder/$name.tar.gz" agent
echo "$folder/$name.tar.gz"

if ! command -v dpkg-deb >/dev/null; then
    echo "equipoise packages: no package of Debian was made, as there is no dpkg-deb here" >&2
    exit
fi
case $platform in
    linux-aarch64) architecture=arm64 ;;
    *) architecture=amd64 ;;
esac
root=$work/debian
mkdir -p "$root/DEBIAN" "$root/opt" "$root/usr/bin" "$root/lib/systemd/system" "$root/etc/equipoise"
mv "$work/agent" "$root/opt/equipoise-agent"
rm -r "$root/opt/equipoise-agent/systemd"
ln -s /opt/equipoise-agent/bin/equipoise-agent "$root/usr/bin/equipoise-agent"
install -m 644 "$files/systemd/equipoise-agent.service" "$root/lib/systemd/system/"
install -m 644 "$files/debian/agent.env" "$root/etc/equipoise/"
install -m 755 "$files/debian/postinst" "$files/debian/prerm" "$root/DEBIAN/"
echo /etc/equipoise/agent.env >"$root/DEBIAN/conffiles"
# Debian's order of versions: a snapshot comes before its release.
debian_version=$(printf '%s' "$version" | sed 's/-SNAPSHOT$/~snapshot/')
cat >"$root/DEBIAN/control" <<END
Package: equipoise-agent
Version: $debian_version
Architecture: $architecture
Maintainer: Equipoise
Section: science
Priority: optional
Depends: libc6, libstdc++6, zlib1g, passwd
Description: worker agent of an Equipoise lab
 Lends this host to a lab that trains neural networks in parallel, until it is stopped. It brings a Java runtime
 of its own along.
END
dpkg-deb --root-owner-group -Zgzip --build "$root" "$folder/equipoise-agent_${debian_version}_$architecture.deb" >/dev/null
echo "$folder/equipoise-agent_${debian_version}_$architecture.deb"
