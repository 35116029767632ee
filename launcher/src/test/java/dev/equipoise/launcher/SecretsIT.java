package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Uses every kind of credential, valid and invalid, and checks that no log contains it. */
@ExtendWith(SharedLabs.class)
class SecretsIT {

    /** Tokens of users, service accounts, sessions, joining agents and agents. */
    private static final Pattern TOKEN = Pattern.compile("eq[a-z]_[A-Za-z0-9_-]{43}");

    private static final String PASSWORD = "only-the-owner-knows-this-1";
    private static final String WRONG_PASSWORD = "somebody-else-guesses-this-2";

    @Test
    void noSecretIsInAnyLog(ChaosLab lab) throws Exception {
        String webhookSecret = useSecrets(lab);
        String clusterName = clusterName(lab);
        lab.killAgent(0);
        lab.replaceAgent(0);
        lab.killService();
        lab.restartService();
        lab.awaitAgents();

        String database =
                Files.readString(lab.folder().resolve("data/postgresql/password")).strip();
        List<Path> logs = logs(lab);
        assertThat(logs).hasSizeGreaterThan(ChaosLab.AGENTS);
        for (Path log : logs) {
            String text = Files.readString(log);
            assertThat(text).as("%s", log).isNotEmpty();
            assertThat(TOKEN.matcher(text).results().map(it -> it.group()).toList())
                    .as("tokens in %s", log)
                    .isEmpty();
            assertThat(text)
                    .doesNotContain(PASSWORD, WRONG_PASSWORD, database, clusterName, webhookSecret);
        }
    }

    private static List<Path> logs(ChaosLab lab) throws IOException {
        try (Stream<Path> files = Files.walk(lab.folder().resolve("logs"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** Uses secrets, and returns the one of a webhook whose delivery fails. */
    private static String useSecrets(ChaosLab lab) throws Exception {
        ServiceApi api = lab.api();
        api.post("users", Map.of("name", "owner", "password", PASSWORD));
        String project = api.post("projects", Map.of("name", "p")).path("id").asString();
        String token =
                api.post("tokens", Map.of("name", "script", "project", project))
                        .path("token")
                        .asString();
        assertThat(token).matches(TOKEN);
        try (HttpClient http = HttpClient.newHttpClient()) {
            assertThat(signIn(http, lab, PASSWORD)).isEqualTo(200);
            assertThat(signIn(http, lab, WRONG_PASSWORD)).isEqualTo(401);
            assertThat(get(http, lab, token)).isEqualTo(200);
            assertThat(get(http, lab, wrong(token))).isEqualTo(401);
            assertThat(get(http, lab, "eqp_" + "x".repeat(500))).isEqualTo(401);
        }
        return webhookSecret(api, project);
    }

    private static String webhookSecret(ServiceApi api, String project) {
        String webhooks = "projects/" + project + "/webhooks";
        JsonNode webhook =
                api.post(
                        webhooks,
                        Map.of(
                                "name",
                                "bot",
                                "url",
                                "https://receiver.invalid/hook",
                                "events",
                                List.of("run.ended", "worker.lost")));
        api.post(webhooks + "/" + webhook.path("id").asString() + "/ping", Map.of());
        String secret = webhook.path("secret").asString();
        assertThat(secret).startsWith("whsec_");
        return secret;
    }

    /** Joins as an agent and leaves again, since only agents learn the name of their cluster. */
    private static String clusterName(ChaosLab lab) throws Exception {
        String token = lab.api().post("join-tokens", Map.of()).path("token").asString();
        String credential = "eqw_" + "A".repeat(43);
        String registration =
                """
                {"name": "%s", "clusterAddress": "127.0.0.1:1", "labels": {},
                 "host": {"name": "h", "processors": 1, "threads": 1, "memoryBytes": 1,
                          "system": "Linux", "backend": "oneDNN", "slowDown": 1},
                 "credential": "%s"}
                """
                        .formatted(SharedLabs.workerName(SecretsIT.class), credential);
        HttpRequest.Builder join =
                HttpRequest.newBuilder(lab.address().resolve("/api/v1/agents"))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(registration));
        try (HttpClient http = HttpClient.newHttpClient()) {
            JsonNode admission =
                    JsonMapper.builder()
                            .build()
                            .readTree(
                                    http.send(join.build(), HttpResponse.BodyHandlers.ofString())
                                            .body());
            String self = "/api/v1/agents/" + admission.path("worker").asString();
            HttpRequest.Builder leave =
                    HttpRequest.newBuilder(lab.address().resolve(self))
                            .header("Authorization", "Bearer " + credential)
                            .DELETE();
            assertThat(
                            http.send(leave.build(), HttpResponse.BodyHandlers.discarding())
                                    .statusCode())
                    .isEqualTo(204);
            String name = admission.path("clusterName").asString();
            assertThat(name).isNotEmpty();
            return name;
        }
    }

    /** Returns a token with another last letter: one token in 16 already ends with A. */
    private static String wrong(String token) {
        return token.substring(0, 46) + (token.endsWith("A") ? "E" : "A");
    }

    private static int signIn(HttpClient http, ChaosLab lab, String password) throws Exception {
        String body =
                JsonMapper.builder()
                        .build()
                        .writeValueAsString(Map.of("name", "owner", "password", password));
        return http.send(
                        HttpRequest.newBuilder(lab.address().resolve("/api/v1/session"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static int get(HttpClient http, ChaosLab lab, String token) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(lab.address().resolve("/api/v1/runs"))
                                .header("Authorization", "Bearer " + token)
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
