#!/bin/sh
# usage: containers/base.sh IMAGE FOLDER
# Makes a base image of Debian's packages alone, for machines that cannot pull a public one: the C and C++ runtimes and
# a shell. Needs Debian and a Docker engine. Exits with status 3 if the packages cannot be downloaded.
set -eu
umask 022

image=$1
mkdir -p "$2"
work=$(cd "$2" && pwd)
packages='libc6 libgcc-s1 libstdc++6 zlib1g busybox-static'

rm -rf "$work/packages" "$work/root"
mkdir -p "$work/packages" "$work/root"
# The sandbox of apt cannot write to folders that only root may write.
download() {
    (cd "$work/packages" && apt-get download -qq -o APT::Sandbox::User=root $packages)
}
# Updates the package lists if they are missing or outdated and the user may update them.
download || { [ "$(id -u)" = 0 ] && apt-get update -qq && download; } || {
    echo "equipoise: Debian's packages for the base image cannot be downloaded: $packages" >&2
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
for command in sh cat ls ps id env sleep timeout wget; do
    [ -e "bin/$command" ] || ln -s busybox "bin/$command"
done
mkdir -p etc tmp var/tmp proc sys dev run
chmod 1777 tmp var/tmp
# The user of the images is in neither file, as in a public base image.
printf 'root:x:0:0:root:/root:/bin/sh\n' >etc/passwd
printf 'root:x:0:\n' >etc/group
printf 'hosts: files dns\n' >etc/nsswitch.conf

tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - . |
    docker import -c 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' -c 'ENV LANG=C.UTF-8' - "$image" >/dev/null
