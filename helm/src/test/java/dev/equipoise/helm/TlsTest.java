package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

    private static final String SECRET = "lab-equipoise-tls";

    private final Rendering own = Rendering.of("{}");
    private final Rendering encrypted = Rendering.named("encrypted");

    @Test
    void serviceReadsItsCertificateFromTheSecret() {
        assertThat(SecretFile.all(encrypted.pod("service")))
                .contains(
                        new SecretFile(SECRET, "tls.crt", "/run/secrets/tls/tls.crt"),
                        new SecretFile(SECRET, "tls.key", "/run/secrets/tls/tls.key"));
        assertThat(settings())
                .containsEntry("SERVER_SSL_BUNDLE", "service")
                .containsEntry(
                        "SPRING_SSL_BUNDLE_PEM_SERVICE_KEYSTORE_CERTIFICATE",
                        "file:/run/secrets/tls/tls.crt")
                .containsEntry(
                        "SPRING_SSL_BUNDLE_PEM_SERVICE_KEYSTORE_PRIVATEKEY",
                        "file:/run/secrets/tls/tls.key")
                .containsEntry("SPRING_SSL_BUNDLE_PEM_SERVICE_RELOADONUPDATE", "true");
    }

    /**
     * Spring would encrypt this port with the same bundle, and the probes would fail. The service
     * itself disables that.
     */
    @Test
    void managementPortStaysPlain() {
        assertThat(Path.of("../app/src/main/resources/application.yaml"))
                .content()
                .containsPattern("(?s)\nmanagement:\n.*\n  server.ssl.enabled: false\n");
        assertThat(settings()).doesNotContainKey("MANAGEMENT_SERVER_SSL_ENABLED");
        assertThat(encrypted.pod("service").probes())
                .hasSize(3)
                .allMatch(it -> it.getHttpGet().getScheme() == null);
    }

    private Map<String, String> settings() {
        return encrypted
                .manifest("ConfigMap", "lab-equipoise-service")
                .as(ConfigMap.class)
                .orElseThrow()
                .getData();
    }

    @Test
    void agentsVerifyTheServiceWithoutItsPrivateKey() {
        SecretFile authority = new SecretFile(SECRET, "ca.crt", "/run/secrets/authority/ca.crt");
        PodTemplate agents = encrypted.pod("agents");

        assertThat(agents.container().getArgs())
                .contains("--service=https://lab-equipoise:8080", "--ca=" + authority.path());
        assertThat(SecretFile.all(agents))
                .filteredOn(it -> it.secret().equals(SECRET))
                .containsExactly(authority);
        assertThat(own.pod("agents").container().getArgs())
                .contains("--service=http://lab-equipoise:8080")
                .noneMatch(it -> it.startsWith("--ca"));
    }

    @Test
    void nothingRequestsTheServiceWithoutEncryption() {
        Service service =
                encrypted.manifest("Service", "lab-equipoise").as(Service.class).orElseThrow();

        assertThat(encrypted.manifests())
                .extracting(it -> it.tree().toString())
                .noneMatch(it -> it.contains("http://lab-equipoise:8080"));
        assertThat(service.getSpec().getPorts())
                .extracting(ServicePort::getName, ServicePort::getAppProtocol)
                .containsExactly(tuple("http", "https"), tuple("management", "http"));
    }

    @Test
    void testPodSkipsTheVerificationWithTlsAlone() {
        assertThat(encrypted.pod("test").container().getEnv())
                .extracting(EnvVar::getName, EnvVar::getValue)
                .containsExactly(
                        tuple("MANAGEMENT", "http://lab-equipoise:8081"),
                        tuple("SERVICE", "https://lab-equipoise:8080"),
                        tuple("WGET_OPTIONS", "--no-check-certificate"));
        assertThat(own.pod("test").container().getEnv())
                .extracting(EnvVar::getName, EnvVar::getValue)
                .containsExactly(
                        tuple("MANAGEMENT", "http://lab-equipoise:8081"),
                        tuple("SERVICE", "http://lab-equipoise:8080"));
    }

    /** The test pod verifies no certificate, so another server could answer in place of ours. */
    @Test
    void testPodSendsTheTokenToAServiceWithoutTlsAlone(@TempDir Path folder) throws Exception {
        assertThat(requests(encrypted, folder))
                .containsExactly(
                        "http://lab-equipoise:8081/actuator/health/readiness",
                        "https://lab-equipoise:8080/api/v1/sign-in");
        assertThat(requests(own, folder))
                .containsExactly(
                        "http://lab-equipoise:8081/actuator/health/readiness",
                        "http://lab-equipoise:8080/api/v1/sign-in",
                        "http://lab-equipoise:8080/api/v1/me with a token");
    }

    /** Runs the container of the test pod with a stub of wget, which prints its last argument. */
    private static List<String> requests(Rendering rendering, Path folder) throws Exception {
        Path wget = folder.resolve("wget");
        Files.writeString(
                wget,
                """
                #!/bin/sh
                for last; do :; done
                case $* in
                    *' Authorization: Bearer '*) echo "$last with a token" ;;
                    *) echo "$last" ;;
                esac
                """);
        assertThat(wget.toFile().setExecutable(true)).isTrue();
        Container test = rendering.pod("test").container();
        List<String> command = new ArrayList<>(test.getCommand());
        command.addAll(test.getArgs());
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        test.getEnv().forEach(it -> builder.environment().put(it.getName(), it.getValue()));
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        Process process = builder.start();
        try (BufferedReader output = process.inputReader()) {
            List<String> lines = output.lines().filter(it -> !it.isEmpty()).toList();
            assertThat(process.waitFor()).isZero();
            return lines;
        }
    }

    /** The service reads changed files by itself; agents read theirs at the start. */
    @Test
    void changedAuthorityChangesThePodAnnotationsOfAgents() {
        String before = annotations("b2xk", "b2xk");

        assertThat(annotations("b2xk", "bmV3")).as("another certificate").isEqualTo(before);
        assertThat(annotations("bmV3", "b2xk")).as("another authority").isNotEqualTo(before);
        assertThat(own.pod("agents").metadata().getAnnotations()).isNullOrEmpty();
    }

    private static String annotations(String authority, String certificate) {
        String secret =
                """
                {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"},
                 "data": {"ca.crt": "%s", "tls.crt": "%s"}}
                """
                        .formatted(authority, certificate);
        return Rendering.of("service: {tls: {existingSecret: a}}", Map.of("a", secret))
                .pod("agents")
                .metadata()
                .getAnnotations()
                .toString();
    }
}
