# Provides a Docker engine for the tests: the one that answers, or one of this shell. Sourced.
# start_engine FOLDER returns 1, with the reason in no_engine, if no engine is possible or the tests lack a program;
# stop_engine stops only an engine that start_engine started.

own_engine=''
no_engine=''

start_engine() { # FOLDER, whose path must be short, because the path of a socket has at most 107 characters
    engine_folder=$1
    # Debian's package may start an engine, so an engine may answer after the installation.
    engine_answers || prepare_start || return 1
    install_tools missing_test_tools docker-compose busybox-static xz-utils || return 1
    if engine_answers; then
        return 0
    fi
    mkdir -p "$engine_folder"
    # An engine that another test run has started there must survive.
    exec 9>"$engine_folder.lock"
    flock -n 9 || {
        no_engine="another test run has an engine in $engine_folder"
        return 1
    }
    recover_engine
    bridges >"$engine_folder/bridges"
    DOCKER_HOST=unix://$engine_folder/docker.sock
    export DOCKER_HOST
    # Does not change the network of the machine; ports are on the loopback only.
    setsid dockerd --data-root "$engine_folder/data" --exec-root "$engine_folder/exec" \
        -H "unix://$engine_folder/docker.sock" --pidfile "$engine_folder/docker.pid" --log-level warn \
        --iptables=false --ip6tables=false --ip-masq=false --ip-forward=false --ip 127.0.0.1 \
        --bip 10.213.0.1/24 --default-address-pool base=10.213.128.0/17,size=24 \
        >"$engine_folder/dockerd.log" 2>&1 </dev/null 9>&- &
    own_engine=$!
    waited=0
    until engine_answers; do
        if ! kill -0 "$own_engine" 2>/dev/null || [ $waited -ge 60 ]; then
            no_engine="dockerd did not start: $(grep -iE 'failed|fatal|error' "$engine_folder/dockerd.log" | tail -n 1 | cut -c1-200)"
            stop_engine
            unset DOCKER_HOST
            return 1
        fi
        sleep 0.5
        waited=$((waited + 1))
    done
}

engine_answers() {
    timeout 5 docker info >/dev/null 2>&1
}

prepare_start() {
    [ "$(id -u)" = 0 ] || {
        no_engine='no Docker engine answers, and only root can start one'
        return 1
    }
    install_tools missing_engine_tools docker.io iproute2 util-linux
}

# Lists the programs that start an engine and that are missing here.
missing_engine_tools() {
    list_missing docker dockerd ip flock
}

# Lists the programs that the tests need beside an engine and that are missing here.
missing_test_tools() {
    list_missing busybox xz apt-get
    docker compose version >/dev/null 2>&1 || list_missing docker-compose
}

list_missing() { # PROGRAM...
    for program; do
        command -v "$program" >/dev/null || printf ' %s' "$program"
    done
}

# Installs packages if programs are missing and the user may install packages.
install_tools() { # FUNCTION THAT LISTS MISSING PROGRAMS, PACKAGE...
    list=$1
    shift
    [ -n "$("$list")" ] || return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing Debian's packages for the tests of the images: $*"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 </dev/null || true
    fi
    missing=$("$list")
    [ -z "$missing" ] || {
        no_engine="programs are missing:$missing; install Debian's packages $*"
        return 1
    }
}

# Removes the remains of an engine that was killed: shims with their containers, mounts, sockets.
recover_engine() {
    [ -d "$engine_folder/exec" ] || return 0
    for left in $(pgrep -f -- "-address $engine_folder/exec/containerd/containerd.sock") \
        $(pgrep -f -- "containerd --config $engine_folder/exec/"); do
        pgrep -P "$left" | xargs -r kill -9 2>/dev/null || true
        kill -9 "$left" 2>/dev/null || true
    done
    awk -v folder="$engine_folder/" 'index($5, folder) == 1 {print $5}' /proc/self/mountinfo | sort -r |
        while read -r mount; do umount "$mount" || umount -l "$mount"; done
    rm -rf "$engine_folder/exec" "$engine_folder/docker.sock" "$engine_folder/docker.pid"
}

# Also stops an engine that does not answer yet, or no longer.
stop_engine() {
    [ -n "$own_engine" ] || return 0
    timeout 60 docker ps -aq 2>/dev/null | timeout 60 xargs -r docker rm -fv >/dev/null || true
    timeout 60 docker network prune -f >/dev/null 2>&1 || true
    kill "$own_engine" 2>/dev/null || true
    waited=0
    while kill -0 "$own_engine" 2>/dev/null && [ $waited -lt 60 ]; do
        sleep 0.5
        waited=$((waited + 1))
    done
    kill -9 "$own_engine" 2>/dev/null || true
    recover_engine
    bridges | grep -vxFf "$engine_folder/bridges" | while read -r bridge; do
        ip link del "$bridge"
    done
    own_engine=''
    rm -rf "$engine_folder"
}

bridges() {
    ip -br link show type bridge | awk '$1 == "docker0" || $1 ~ /^br-[0-9a-f]+$/ {print $1}'
}
