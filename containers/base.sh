#!/bin/sh
# usage: containers/base.sh IMAGE FOLDER
# A base for the images, of Debian's packages alone, for where no public one can be pulled: the C and C++ runtimes, and a
# shell. Needs Debian, and a Docker engine. Status 3 where the packages cannot be had.
set -eu
umask 022

image=$1
mkdir -p "$2"
work=$(cd "$2" && pwd)
packages='libc6 libgcc-s1 libstdc++6 zlib1g busybox-static'

rm -rf "$work/packages" "$work/root"
mkdir -p "$work/packages" "$work/root"
# The sandbox of apt cannot write where root alone can.
download() {
    (cd "$work/packages" && apt-get download -qq -o APT::Sandbox::User=root $packages)
}
# Who has no lists of packages, or old ones, may get them.
download || { [ "$(id -u)" = 0 ] && apt-get update -qq && download; } || {
    echo "equipoise: Debian's packages, of which the base of the images is made, cannot be had" >&2
    exit 3
}
for package in "$work"/packages/*.deb; do
    dpkg-deb -x "$package" "$work/root"
done

cd "$work/root"
rm -rf usr/share/doc usr/share/man usr/share/lintian usr/share/locale usr/share/initramfs-tools
for folder in bin lib lib64 sbin; do
    [ -e "$folder" ] || ln -s "usr/$folder" "$folder"
done
for command in sh cat ls ps id env sleep wget; do
    [ -e "bin/$command" ] || ln -s busybox "bin/$command"
done
mkdir -p etc tmp var/tmp proc sys dev run
chmod 1777 tmp var/tmp
# As in a public one, the user of the images is in neither.
printf 'root:x:0:0:root:/root:/bin/sh\n' >etc/passwd
printf 'root:x:0:\n' >etc/group
printf 'hosts: files dns\n' >etc/nsswitch.conf

tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - . |
    docker import -c 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' -c 'ENV LANG=C.UTF-8' - "$image" >/dev/null
