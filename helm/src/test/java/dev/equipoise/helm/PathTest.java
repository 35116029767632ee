package dev.equipoise.helm;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that service and agents serve the paths that probes and monitors request. */
class PathTest {

    private static final Pattern HANDLER = Pattern.compile("addHandler\\(\\s*\"([^\"]+)\"");

    private final Rendering lab = Rendering.named("lab");

    /** The service serves its management endpoints at the default paths of Spring. */
    @Test
    void serviceServesTheRequestedPaths() {
        assertThat(requested("service", Monitor.OF_SERVICES))
                .containsExactlyInAnyOrder(
                        "/actuator/health/liveness",
                        "/actuator/health/readiness",
                        "/actuator/prometheus");
        assertThat(Path.of("../app/src/main/resources/application.yaml"))
                .content()
                .contains("exposure.include: health, prometheus", "probes.enabled: true")
                .doesNotContain("base-path", "path-mapping");
    }

    @Test
    void agentsServeTheRequestedPaths() throws IOException {
        String source =
                Files.readString(
                        Path.of(
                                "../worker-agent/src/main/java/dev/equipoise/agent/status/StatusServer.java"));
        List<String> served =
                HANDLER.matcher(source).results().map((MatchResult it) -> it.group(1)).toList();

        assertThat(requested("agents", Monitor.OF_PODS)).hasSize(3).isSubsetOf(served);
    }

    private Set<String> requested(String component, String monitors) {
        Stream<String> probes =
                lab.pods(component).stream()
                        .flatMap(pod -> pod.probes().stream())
                        .map(it -> it.getHttpGet().getPath());
        Stream<String> scrapes =
                lab.all(Monitor.class).stream()
                        .filter(it -> monitors.equals(it.apiVersion() + " " + it.kind()))
                        .flatMap(it -> it.spec().all().stream())
                        .map(Monitor.Endpoint::path);
        return Stream.concat(probes, scrapes).collect(toSet());
    }
}
