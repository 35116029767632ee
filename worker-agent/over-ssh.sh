#!/bin/sh
# usage: ./equipoise over-ssh start --archive FILE --service URL --join-token-file FILE [--ca FILE]
#            [--options 'OPTIONS'] HOST...
#        ./equipoise over-ssh stop HOST...
#        ./equipoise over-ssh status HOST...
#        ./equipoise over-ssh remove HOST...
#
# Starts, stops and removes agents on other hosts by ssh, one host after the other. HOST is an argument of ssh: a name of
# ~/.ssh/config, an address, or user@address; the agent has this name without the user. ssh must not ask for a password:
# put keys and ports into ~/.ssh/config, or set EQUIPOISE_SSH to another command, such as 'ssh -F lab.conf'.
#
# start   installs or upgrades: unpacks the archive of the agent (equipoise-agent-VERSION-PLATFORM.tar.gz of a release, or
#         of ./equipoise packages in a checkout) if it is new, stops the agent that runs, and starts that of the archive
# stop    stops the agents; each leaves the lab first
# status  shows which agents run; the exit status is 1 if one does not
# remove  stops the agents and deletes their files, except for data sets; keeps the files of an agent with unsent reports
#
# OPTIONS are options of the agent, such as '--port 7001 --data-port 7002 --label room=west'. --ca names a PEM file with
# the certificates of the authorities that certify an https service; no other authority then counts. On each machine all
# files are in ~/.local/share/equipoise-agents: the unpacked archives, and a folder for each HOST with the log, the join
# token, the certificates and the state.
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

# Runs a script from standard input, because it may contain the token and a list of processes shows arguments.
run_on() { # HOST
    $ssh -o BatchMode=yes -- "$1" sh -s
}

# Prints the beginning of every script that runs on a host.
prelude() { # NAME
    printf 'set -eu\nname=%s\n' "$(quoted "$1")"
    cat <<'END'
base=$HOME/.local/share/equipoise-agents
own=$base/$name
# Checks the command, because another program may have the process id after a restart of the host.
is_running() {
    [ -s "$own/pid" ] && tr '\0' ' ' 2>/dev/null <"/proc/$(cat "$own/pid")/cmdline" | grep -q "equipoise-agent.* --name $name "
}
leave() {
    is_running || return 0
    pid=$(cat "$own/pid")
    kill "$pid"
    waited=0
    while is_running; do
        if [ $waited -ge 30 ]; then
            echo "the agent did not stop within 30 s (process $pid): stop it by hand" >&2
            exit 1
        fi
        sleep 1
        waited=$((waited + 1))
    done
    rm -f "$own/pid"
}
END
}

# Unpacks into a folder with another name, so that an interrupted transfer leaves no folder that looks complete.
unpack() { # HOST RELEASE
    releases=.local/share/equipoise-agents/releases
    $ssh -o BatchMode=yes -- "$1" "sh -c 'mkdir -p $releases/$2.part && tar -xz --strip-components=1 -C $releases/$2.part && mv $releases/$2.part $releases/$2'" <"$archive"
}

start() { # HOST
    machine=$(echo 'uname -m' | run_on "$1") || return 1
    if [ -n "$processor" ] && [ "$processor" != "$machine" ]; then
        echo "the archive is for linux-$processor, but the machine is linux-$machine: name an archive for it" >&2
        return 1
    fi
    release=$(sha256sum <"$archive" | cut -c 1-16)
    known=0
    echo "test -d .local/share/equipoise-agents/releases/$release" | run_on "$1" || known=$?
    case $known in
        0) ;;
        1) unpack "$1" "$release" || return 1 ;;
        *) return 1 ;;
    esac
    {
        prelude "${1##*@}"
        printf 'release=%s\nservice=%s\ntoken=%s\n' "$release" "$(quoted "$service")" "$(quoted "$token")"
        printf 'ca=%s\noptions=%s\n' "$(quoted "$ca")" "$(quoted "$options")"
        cat <<'END'
leave
mkdir -p "$own"
chmod 700 "$own"
echo "$release" >"$own/release"
printf '%s\n' "$token" >"$own/join-token"
set -- --service "$service" --name "$name" --join-token-file "$own/join-token"
rm -f "$own/ca.pem"
if [ -n "$ca" ]; then
    printf '%s\n' "$ca" >"$own/ca.pem"
    set -- "$@" --ca "$own/ca.pem"
fi
# Empties the log, so that the search below finds no line of the previous agent.
: >"$own/log"
XDG_STATE_HOME=$own/state
export XDG_STATE_HOME
unset EQUIPOISE_STATE
nohup "$base/releases/$release/bin/equipoise-agent" "$@" $options >>"$own/log" 2>&1 </dev/null &
echo $! >"$own/pid"
waited=0
until grep -q ' joined as ' "$own/log"; do
    sleep 1
    waited=$((waited + 1))
    if ! is_running || [ $waited -ge 90 ]; then
        echo "the agent has not joined the lab; $own/log ends with:" >&2
        tail -n 3 "$own/log" >&2
        exit 1
    fi
done
echo "running, process $(cat "$own/pid")"
END
    } | run_on "$1"
}

stop() { # HOST
    {
        prelude "${1##*@}"
        echo 'leave; echo "stopped"'
    } | run_on "$1"
}

# Machines may share their home directories, so the agents of other hosts need not run on this machine.
remove() { # HOST
    {
        prelude "${1##*@}"
        cat <<'END'
[ -d "$own" ] || { echo "nothing to remove"; exit; }
leave
unsent=$own/state/equipoise/unsent
if [ -n "$(find "$unsent" -name '*.jsonl' 2>/dev/null | head -n 1)" ]; then
    echo "the agent is stopped, but $unsent has reports that the service has not confirmed: start the agent while the service is up, or delete the folder" >&2
    exit 1
fi
rm -rf "$own"
is_used() { # RELEASE
    for other in "$base"/*; do
        case $other in "$base/releases" | "$base/*") continue ;; esac
        # An agent that an earlier version of this script started may have any release.
        [ -f "$other/release" ] && [ "$(cat "$other/release")" != "$1" ] || return 0
    done
    return 1
}
for release in "$base"/releases/*; do
    unpacked=${release##*/}
    is_used "${unpacked%.part}" || rm -rf "$release"
done
rmdir "$base/releases" "$base" 2>/dev/null || true
echo "removed; the lab lists its worker until you delete it (./equipoise workers delete)"
END
    } | run_on "$1"
}

status() { # HOST
    {
        prelude "${1##*@}"
        echo 'is_running || { echo "not running"; exit 1; }; echo "running, process $(cat "$own/pid")"'
    } | run_on "$1"
}

# Agents must not get the key of the service or of the authority, which some PEM files contain too.
read_ca() {
    case $service in
        https://*) ;;
        *) refuse "--ca is for an https service, but --service was '$service'" ;;
    esac
    [ -f "$ca_file" ] && grep -q -e '-----BEGIN CERTIFICATE-----' "$ca_file" ||
        refuse "--ca must name a file with certificates in PEM format, but was '$ca_file'"
    ! grep -q 'PRIVATE KEY' "$ca_file" || refuse "--ca names a file with a private key, '$ca_file': name one with certificates alone"
    ca=$(cat "$ca_file")
}

command=${1:-}
case $command in
    start | stop | status | remove) shift ;;
    --help | -h)
        usage
        exit
        ;;
    '') refuse "the command is missing: start, stop, status or remove" ;;
    *) refuse "the command must be start, stop, status or remove, but was '$command'" ;;
esac

archive='' service='' token_file='' ca_file='' options=''
while [ $# -gt 0 ]; do
    case $1 in
        --archive | --service | --join-token-file | --ca | --options)
            [ "$command" = start ] || refuse "$1 is an option of start only"
            [ $# -gt 1 ] || refuse "$1 needs a value"
            ;;
    esac
    case $1 in
        --archive) archive=$2 ;;
        --service) service=$2 ;;
        --join-token-file) token_file=$2 ;;
        --ca) ca_file=$2 ;;
        --options) options=$2 ;;
        -*) refuse "unknown option $1" ;;
        *) break ;;
    esac
    shift 2
done
[ $# -gt 0 ] || refuse "no host is named"
for host in "$@"; do
    case ${host##*@} in
        '' | -* | .* | releases | *[!A-Za-z0-9._-]*) refuse "'$host' gives no agent name: use letters, digits, _, - and ., begin with none of - and ., and not 'releases'" ;;
    esac
done
if [ "$command" = start ]; then
    [ -f "$archive" ] || refuse "--archive must name the archive of the agent, but was '$archive'"
    packed=$(tar -tzf "$archive") || refuse "--archive must be a gzipped tar file, but was '$archive'"
    printf '%s\n' "$packed" | grep -q '^[^/]*/bin/equipoise-agent$' ||
        refuse "--archive must name the archive of the agent alone, equipoise-agent-VERSION-PLATFORM.tar.gz, but was '$archive'"
    case " $options" in
        *' --state '* | *' --state='*) refuse "--options must not have --state, because each agent's state is in the folder of its host, but were '$options'" ;;
    esac
    [ -n "$service" ] || refuse "--service must be the URL at which the machines reach the service"
    [ -f "$token_file" ] || refuse "--join-token-file must name a file with the join token, but was '$token_file'"
    token=$(cat "$token_file")
    ca=''
    [ -z "$ca_file" ] || read_ca
    # As uname names it; JavaCPP's native libraries tell it.
    processor=$(printf '%s\n' "$packed" | sed -n 's:.*/lib/javacpp-.*-linux-\(.*\)\.jar$:\1:p' | sed 's/arm64/aarch64/')
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
