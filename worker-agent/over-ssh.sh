#!/bin/sh
# usage: ./equipoise over-ssh start --archive FILE --service URL --join-token-file FILE [--options 'OPTIONS'] HOST...
#        ./equipoise over-ssh stop HOST...
#        ./equipoise over-ssh status HOST...
#
# Agents on many machines, by ssh and one after the other, as the user that ssh signs in as there. HOST is what ssh
# takes: a name of ~/.ssh/config, an address, or user@address; the agent is named by it, without the user. Where ssh
# would ask for a password it fails instead: keys and ports belong into ~/.ssh/config, or into what EQUIPOISE_SSH
# names in place of ssh, such as 'ssh -F lab.conf'.
#
# start   unpacks the archive of ./equipoise packages, unless it is there already, lets an agent that ran before
#         leave politely, and starts the one of the archive: so it installs, and upgrades
# stop    lets them leave politely
# status  tells which are there; its exit status is 1 where one is not
#
# OPTIONS are those of the agent, such as '--port 7001 --data-port 7002 --label room=west'. On each machine all is in
# ~/.local/share/equipoise-agents: what was unpacked, and of each host the log, the join token and the agent's state.
set -eu

ssh=${EQUIPOISE_SSH:-ssh}

usage() {
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
}

refuse() { # SENTENCE
    printf 'equipoise over-ssh: %s (--help tells more)\n' "$1" >&2
    exit 2
}

quoted() { # TEXT
    printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# Runs what comes in by the input, which no list of processes shows, as it may have the token in it.
there() { # HOST
    $ssh -o BatchMode=yes -- "$1" sh -s
}

# What all that is run there begins with.
prelude() { # NAME
    printf 'set -eu\nname=%s\n' "$(quoted "$1")"
    cat <<'END'
base=$HOME/.local/share/equipoise-agents
own=$base/$name
# After a restart of the machine its number may be another program's.
is_there() {
    [ -s "$own/pid" ] && tr '\0' ' ' 2>/dev/null <"/proc/$(cat "$own/pid")/cmdline" | grep -q "equipoise-agent.* --name $name "
}
leave() {
    is_there || return 0
    pid=$(cat "$own/pid")
    kill "$pid"
    waited=0
    while is_there; do
        if [ $waited -ge 30 ]; then
            echo "it has not left after 30 s (process $pid)" >&2
            exit 1
        fi
        sleep 1
        waited=$((waited + 1))
    done
    rm -f "$own/pid"
}
END
}

# Who is cut off midway leaves nothing that looks whole.
unpack() { # HOST RELEASE
    releases=.local/share/equipoise-agents/releases
    $ssh -o BatchMode=yes -- "$1" "sh -c 'mkdir -p $releases/$2.part && tar -xz --strip-components=1 -C $releases/$2.part && mv $releases/$2.part $releases/$2'" <"$archive"
}

start() { # HOST
    release=$(sha256sum <"$archive" | cut -c 1-16)
    known=0
    echo "test -d .local/share/equipoise-agents/releases/$release" | there "$1" || known=$?
    case $known in
        0) ;;
        1) unpack "$1" "$release" || return 1 ;;
        *) return 1 ;;
    esac
    {
        prelude "${1##*@}"
        printf 'release=%s\nservice=%s\ntoken=%s\noptions=%s\n' "$release" "$(quoted "$service")" "$(quoted "$token")" "$(quoted "$options")"
        cat <<'END'
leave
mkdir -p "$own"
chmod 700 "$own"
printf '%s\n' "$token" >"$own/join-token"
# What is looked for in it is not what the one before has said.
: >"$own/log"
XDG_STATE_HOME=$own/state
export XDG_STATE_HOME
nohup "$base/releases/$release/bin/equipoise-agent" --service "$service" --name "$name" \
    --join-token-file "$own/join-token" $options >>"$own/log" 2>&1 </dev/null &
echo $! >"$own/pid"
waited=0
until grep -q ' joined as ' "$own/log"; do
    sleep 1
    waited=$((waited + 1))
    if ! is_there || [ $waited -ge 90 ]; then
        echo "it has not joined; $own/log ends with:" >&2
        tail -n 3 "$own/log" >&2
        exit 1
    fi
done
echo "there, process $(cat "$own/pid")"
END
    } | there "$1"
}

stop() { # HOST
    {
        prelude "${1##*@}"
        echo 'leave; echo "not there any more"'
    } | there "$1"
}

status() { # HOST
    {
        prelude "${1##*@}"
        echo 'is_there || { echo "not there"; exit 1; }; echo "there, process $(cat "$own/pid")"'
    } | there "$1"
}

command=${1:-}
case $command in
    start | stop | status) shift ;;
    --help | -h)
        usage
        exit
        ;;
    '') refuse "start, stop or status must be said" ;;
    *) refuse "there is no '$command'; it is start, stop or status" ;;
esac

archive='' service='' token_file='' options=''
while [ $# -gt 0 ]; do
    case $1 in
        --archive | --service | --join-token-file | --options)
            [ "$command" = start ] || refuse "$1 is for start alone"
            [ $# -gt 1 ] || refuse "$1 needs a value"
            ;;
    esac
    case $1 in
        --archive) archive=$2 ;;
        --service) service=$2 ;;
        --join-token-file) token_file=$2 ;;
        --options) options=$2 ;;
        -*) refuse "there is no option $1" ;;
        *) break ;;
    esac
    shift 2
done
[ $# -gt 0 ] || refuse "no host is named"
for host in "$@"; do
    case ${host##*@} in
        '' | -* | .* | releases | *[!A-Za-z0-9._-]*) refuse "'$host' is no host" ;;
    esac
done
if [ "$command" = start ]; then
    [ -f "$archive" ] || refuse "--archive must name what ./equipoise packages has made, but was '$archive'"
    [ -n "$service" ] || refuse "--service must say where the machines reach the service"
    [ -f "$token_file" ] || refuse "--join-token-file must name a file with the join token, but was '$token_file'"
    token=$(cat "$token_file")
fi

failed=0
for host in "$@"; do
    if told=$("$command" "$host" 2>&1); then
        printf '%s: %s\n' "$host" "$told"
    else
        printf '%s: %s\n' "$host" "${told:-no answer}" >&2
        failed=1
    fi
done
exit $failed
