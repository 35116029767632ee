package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.testing.Patience;
import dev.equipoise.testing.TestingCertificates;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A lab whose service has a certificate of an authority of its own, and is below a path. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EncryptedLabIT {

    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: encrypted
            dataset: { name: synthetic, shape: [28, 28, 1], classes: 10, samples: 600, seed: 1 }
            network: { preset: mnist-cnn }
            training: { epochs: 1, batchSize: 32 }
            workers: { replicas: 1 }
            """;

    private final List<Process> agents = new ArrayList<>();
    private Path folder;
    private TestingCertificates certificates;
    private OwnService service;

    @BeforeAll
    void start(@TempDir Path shared) throws IOException {
        folder = shared;
        certificates = TestingCertificates.in(folder.resolve("tls"));
        service =
                OwnService.start(
                        folder,
                        this::endpoint,
                        Map.of(),
                        "--equipoise.data=" + folder.resolve("data"),
                        "--server.servlet.context-path=/equipoise",
                        "--server.ssl.bundle=service",
                        "--spring.ssl.bundle.pem.service.keystore.certificate=file:"
                                + certificates.certificate(),
                        "--spring.ssl.bundle.pem.service.keystore.private-key=file:"
                                + certificates.key());
    }

    @AfterAll
    void stop() {
        agents.forEach(it -> it.destroyForcibly().onExit().join());
        if (service != null) {
            service.close();
        }
    }

    private ServiceEndpoint endpoint(int port) {
        return new ServiceEndpoint(
                URI.create("https://127.0.0.1:%d/equipoise".formatted(port)), certificates.ca());
    }

    private Process startAgent(String name, Map<String, String> variables, String... options)
            throws IOException {
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("EQUIPOISE_JOIN_TOKEN", OwnService.JOINING);
        List<String> arguments = new ArrayList<>(List.of("agent", "--name=" + name));
        arguments.add("--service=" + service.address());
        arguments.addAll(List.of(options));
        Process agent =
                TestingCommand.startIn(
                        folder, name, List.of(), environment, arguments.toArray(String[]::new));
        agents.add(agent);
        return agent;
    }

    /** Runs a command that finds its service by the context alone, and returns its output. */
    private String succeed(String... arguments) throws Exception {
        TestingCommand.Ended ended =
                TestingCommand.withoutService(
                        OwnService.ADMINISTRATOR, folder.resolve("config"), arguments);
        assertThat(ended.status()).as("%s: %s", List.of(arguments), ended.output()).isZero();
        return ended.output();
    }

    @Test
    void runIsSubmittedAndTrainedOverTlsBelowAPath() throws Exception {
        startAgent("trusting", Map.of("EQUIPOISE_CA", certificates.ca().toString()));
        Path definition = Files.writeString(folder.resolve("encrypted.yaml"), DEFINITION);

        succeed("login", service.address().toString(), "--ca=" + certificates.ca());
        String output = succeed("run", definition.toString());

        assertThat(output).contains(": %s/runs/".formatted(service.address()));
        try (ServiceApi api = service.api()) {
            JsonNode runs = api.get("runs").path("items");
            assertThat(runs)
                    .extracting(it -> it.path("state").asString())
                    .containsExactly("COMPLETED");
        }
    }

    @Test
    @Timeout(Patience.SECONDS)
    void agentThatTrustsOtherAuthoritiesEndsWithTheReason() throws Exception {
        Process stranger = startAgent("stranger", Map.of(), "--join-timeout=1");

        assertThat(stranger.waitFor()).isEqualTo(1);
        assertThat(TestingTree.text(folder.resolve("logs/stranger.log")))
                .contains(
                        "equipoise agent: could not join: the certificate of %s is not trusted: "
                                .formatted(service.address()),
                        "; --ca names a file with the certificate of its authority\n");
    }
}
