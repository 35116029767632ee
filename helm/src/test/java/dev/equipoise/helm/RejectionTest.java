package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RejectionTest {

    private static final String GROUP =
            "threads: 1, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {memory: 1Gi}}";

    private static void assertRejected(String values, String reason) {
        Throwable failure = catchThrowable(() -> Chart.render(Chart.RELEASE, values));

        assertThat(failure).as(values).isNotNull().hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {service: {replicas: 2}} | service.replicas is 2, and all instances must see the same checkpoints
                    {service: {javaOptions: '-Xmx1g -XX:+UseZGC'}} | service: -XX:+UseZGC chooses a collector, but the image already chooses -XX:+UseSerialGC
                    {service: {env: {JDK_JAVA_OPTIONS: '-XX:+UseG1GC'}}} | service: -XX:+UseG1GC chooses a collector
                    {agents: {javaOptions: '-XX:+UseParallelGC'}} | agents: -XX:+UseParallelGC chooses a collector
                    {agents: {env: {JDK_JAVA_OPTIONS: '-XX:+UseZGC'}}} | agents: -XX:+UseZGC chooses a collector
                    {postgresql: {bundled: false}} | there is no database
                    {database: {host: db}} | set postgresql.bundled to false, or leave database.host empty
                    {database: {host: db}, postgresql: {bundled: false}} | database.existingSecret.name must be
                    {database: {caSecret: {name: ca}}} | postgresql.bundled does not speak TLS
                    {database: {parameters: sslmode=verify-full}} | there is no certificate to verify by: set database.caSecret.name
                    {database: {parameters: 'a=b&sslmode=verify-ca'}} | there is no certificate to verify by
                    {database: {parameters: ssl=true}} | there is no certificate to verify by
                    {checkpoints: {storage: s3}} | set checkpoints.s3.bucket, .accessKey and .existingSecret.name
                    {oidc: {issuer: 'https://id'}} | set oidc.clientId and oidc.existingSecret.name as well
                    {ingress: {enabled: true}} | ingress.enabled needs ingress.host
                    {service: {nodeSelector: {kubernetes.io/arch: arm64}}} | service has a nodeSelector for kubernetes.io/arch arm64, but the images are built for amd64
                    {agents: {state: {existingClaim: all}}} | agents.state.existingClaim is all, but each agent already has a volume with its state
                    {agents: {kind: DaemonSet, autoscaling: {enabled: true}}} | agents.autoscaling needs agents.kind StatefulSet
                    {agents: {autoscaling: {enabled: true}}} | agents.autoscaling.prometheus must be the address
                    {agents: {autoscaling: {enabled: true, prometheus: 'http://p'}}} | agents.autoscaling needs a group with maxReplicas
                    """)
    void rejectsInvalidCombinationsWithAReason(String values, String reason) {
        assertRejected(values, reason);
    }

    @Test
    void rejectsAutoscalingOfTwoGroups() {
        String groups =
                "[{name: a, replicas: 0, maxReplicas: 1, GROUP}, {name: b, replicas: 0, maxReplicas: 1, GROUP}]"
                        .replace("GROUP", GROUP);

        assertRejected(
                "agents: {groups: %s, autoscaling: {enabled: true, prometheus: 'http://p'}}"
                        .formatted(groups),
                "agents.autoscaling scales one group, but a and b have maxReplicas");
    }

    /**
     * The images must choose a collector, or the chart would reject another one without a reason.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "app/Dockerfile",
                "worker-agent/src/main/package/bin/equipoise-agent",
            })
    void imagesChooseTheCollector(String file) throws IOException {
        assertThat(Path.of("..", file)).content().contains("-XX:+UseSerialGC");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    [{name: a, replicas: 1, GROUP}, {name: a, replicas: 1, GROUP}] | must have different names, but they are a, a
                    [{name: a, replicas: 3, maxReplicas: 2, GROUP}] | a has at most 2 agents (maxReplicas) and at least 3 (replicas)
                    [{name: a, GROUP}] | missing property 'replicas'
                    [{name: a, replicas: 1, nodeSelector: {kubernetes.io/arch: arm64}, GROUP}] | agents.groups: a has a nodeSelector for kubernetes.io/arch arm64
                    [{name: a, replicas: 1, backend: cublas, GROUP}] | value must be one of
                    [{name: sixteen-letters-, replicas: 1, GROUP}] | maxLength
                    [{name: a, replicas: 1, threads: 1}] | missing property 'resources'
                    """)
    void rejectsInvalidGroups(String groups, String reason) {
        assertRejected("agents: {groups: %s}".formatted(groups.replace("GROUP", GROUP)), reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {service: {replicas: two}} | got string, want integer
                    {service: {replicas: 0}} | minimum
                    {service: {replica: 2}} | additional properties 'replica' not allowed
                    {services: {}} | additional properties 'services' not allowed
                    {agents: {kind: Deployment}} | value must be one of
                    {postgresql: {image: 'postgres:latest'}} | not
                    {postgresql: {image: postgres}} | does not match pattern
                    {images: {prefix: lab}} | does not match pattern
                    {images: {platforms: [riscv64]}} | value must be one of
                    {images: {platforms: []}} | minItems
                    {ingress: {path: equipoise}} | does not match pattern
                    {ingress: {path: /equipoise/}} | does not match pattern
                    {ingress: {path: /../lab}} | does not match pattern
                    {service: {env: {A: 1}}} | got number, want string
                    {service: {env: {lower: a}}} | does not match pattern
                    {service: {env: {SERVER_PORT: '80'}}} | invalid propertyName 'SERVER_PORT'
                    {service: {env: {SERVER_SERVLET_CONTEXTPATH: /lab}}} | invalid propertyName 'SERVER_SERVLET_CONTEXTPATH'
                    {service: {env: {SERVER_SERVLET_CONTEXT_PATH: /lab}}} | invalid propertyName 'SERVER_SERVLET_CONTEXT_PATH'
                    {service: {env: {SERVER_SSL_BUNDLE: lab}}} | invalid propertyName 'SERVER_SSL_BUNDLE'
                    {service: {env: {SPRING_SSL_BUNDLE_PEM_SERVICE_KEYSTORE_CERTIFICATE: lab}}} | invalid propertyName 'SPRING_SSL_BUNDLE_PEM_SERVICE_KEYSTORE_CERTIFICATE'
                    {service: {env: {MANAGEMENT_SERVER_PORT: '80'}}} | invalid propertyName 'MANAGEMENT_SERVER_PORT'
                    {agents: {env: {WORKER_NAME: a}}} | invalid propertyName 'WORKER_NAME'
                    {agents: {env: {XDG_STATE_HOME: /tmp}}} | invalid propertyName 'XDG_STATE_HOME'
                    {agents: {env: {EQUIPOISE_STATE: /tmp}}} | invalid propertyName 'EQUIPOISE_STATE'
                    {agents: {env: {EQUIPOISE_CA: /tmp/ca}}} | invalid propertyName 'EQUIPOISE_CA'
                    {agents: {env: {EQUIPOISE_JAVA_OPTIONS: -Xmx1g}}} | invalid propertyName 'EQUIPOISE_JAVA_OPTIONS'
                    {networkPolicy: {serviceFrom: [{}]}} | minProperties
                    {checkpoints: {folder: {accessMode: ReadWriteOncePod}}} | value must be one of
                    """)
    void schemaRejectsInvalidValues(String values, String reason) {
        assertRejected(values, reason);
    }
}
