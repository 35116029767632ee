package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HeartbeatReply;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.ReportReply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests the current service on the database and the messages of the version before: the last commit
 * before types, packages and readers were renamed. A lab of that version made some runs of each
 * kind; its service then answered the requests that this test repeats. The clock stands still.
 */
@RunningService
class VersionBeforeIT {

    private static final String DATABASE = "version_before";

    /** The last schema version of the version before. */
    private static final String SCHEMA = "39";

    /** Fields that may differ, each with its reason. */
    private static final Map<String, String> CHANGING =
            Map.of(
                    "lastUsedAt", "the requests of this test use the token",
                    "usedAt", "the requests of this test use the token",
                    "storedBytes", "the service adds events of the queued run",
                    "product", "version of the build",
                    "label", "labels have the words of choices and the shortest names of fields",
                    "line", "scaling lines are labeled alike",
                    "waiting", "the scheduler words wait reasons anew",
                    "title", "texts of problems are worded anew",
                    "detail", "texts of problems are worded anew");

    /**
     * Columns of comparisons that may differ, for the reasons of {@link #CHANGING} and of {@link
     * #isEstimate}.
     */
    private static final Pattern CHANGING_COLUMN =
            Pattern.compile("label|.*(Low|High|Speedup|Ratio)");

    private static final Pattern RUN_NAME =
            Pattern.compile("(\"run_name\":|\"key\":\"mlflow.runName\",\"value\":)\"[^\"]*\"");

    /** A comma between two values of a CSV file. */
    private static final Pattern COMMA = Pattern.compile(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");

    /** The scheduler decides on it again, which appends an event. */
    private static final String QUEUED_RUN = "/runs/5c587a0b-618a-486e-bfcc-625f91c1207b";

    /** The time of the recording: an hour later the service deletes short-lived events. */
    private static final class RecordedTime {

        @Bean
        @Primary
        TestingClock recordedTime() {
            return new TestingClock(Instant.parse("2026-11-26T13:49:00Z"));
        }
    }

    @TempDir private Path folder;

    private final JdbcConnectionDetails server;
    private final JdbcClient outside;
    private @Nullable TestingInstance started;

    VersionBeforeIT(@Autowired JdbcConnectionDetails server, @Autowired JdbcClient outside) {
        this.server = server;
        this.outside = outside;
    }

    @BeforeEach
    void start() throws IOException, SQLException {
        dropDatabase();
        outside.sql("create database " + DATABASE).update();
        var database =
                new DriverManagerDataSource(
                        TestingInstance.url(server, DATABASE),
                        Objects.requireNonNull(server.getUsername()),
                        Objects.requireNonNull(server.getPassword()));
        Flyway.configure().dataSource(database).target(SCHEMA).load().migrate();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(resource("database.sql.gz"));
        }
        started =
                TestingInstance.start(
                        server,
                        DATABASE,
                        folder.resolve("administrator"),
                        Map.of(
                                "equipoise.checkpoint.folder",
                                folder.resolve("checkpoints"),
                                "equipoise.worker.silence",
                                "1h",
                                "equipoise.rate.user.burst",
                                1_000_000,
                                "logging.level.dev.equipoise",
                                "error"),
                        RecordedTime.class);
    }

    @AfterEach
    void stop() {
        if (started != null) {
            started.close();
        }
        dropDatabase();
    }

    /** Drops the database, including one that a killed test left. */
    private void dropDatabase() {
        outside.sql("drop database if exists %s with (force)".formatted(DATABASE)).update();
    }

    private TestingInstance instance() {
        return Objects.requireNonNull(started);
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = new ClassPathResource("version-before/" + name).getInputStream();
                InputStream unpacked = new GZIPInputStream(in)) {
            return new String(unpacked.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void answersAreThoseOfTheVersionBefore() throws IOException {
        List<String> differences = new ArrayList<>();
        TestingClient administrator = instance().client("eqp_administrator");
        JsonNode answers = instance().bean(JsonMapper.class).readTree(resource("answers.json.gz"));
        assertThat(answers.size()).isGreaterThan(100);

        for (Map.Entry<String, JsonNode> recorded : answers.properties()) {
            if (!recorded.getKey().startsWith(QUEUED_RUN)) {
                compareAnswer(administrator, recorded.getKey(), recorded.getValue(), differences);
            }
        }

        assertThat(differences).isEmpty();
    }

    private void compareAnswer(
            TestingClient client, String path, JsonNode recorded, List<String> differences)
            throws IOException {
        if (recorded.has("entries")) {
            JsonNode entries = entries(client.bytes(path));
            compare(recorded.path("entries"), entries, path, differences);
            return;
        }
        JsonNode body = recorded.path("body");
        if (body.isString() && path.endsWith("format=csv")) {
            compareTables(body.stringValue(), client.text(path).body(), path, differences);
            return;
        }
        if (body.isString()) {
            String now = withoutRunNames(client.text(path).body());
            if (!now.equals(withoutRunNames(body.stringValue()))) {
                differences.add("%s: %s was %s".formatted(path, now, body));
            }
            return;
        }
        Answer answer = client.get(path);
        if (answer.status() == recorded.path("status").intValue()) {
            compare(body, answer.body(), path, differences);
        } else {
            differences.add("%s: status %d".formatted(path, answer.status()));
        }
    }

    /** Removes the names of runs from calls of MLflow: the present ones have run labels. */
    private static String withoutRunNames(String calls) {
        return RUN_NAME.matcher(calls).replaceAll("$1\"\"");
    }

    /** Compares the columns of the version before; columns added since are ignored. */
    private static void compareTables(
            String before, String now, String place, List<String> differences) {
        List<Map<String, String>> recorded = rows(before);
        List<Map<String, String>> present = rows(now);
        assertThat(present).as(place).hasSameSizeAs(recorded);
        for (int i = 0; i < recorded.size(); i++) {
            Map<String, String> row = present.get(i);
            recorded.get(i)
                    .forEach((column, value) -> {
                        if (!CHANGING_COLUMN.matcher(column).matches()
                                && !value.equals(row.get(column))) {
                            differences.add(
                                    "%s %s: %s was %s"
                                            .formatted(place, column, row.get(column), value));
                        }
                    });
        }
    }

    private static List<Map<String, String>> rows(String table) {
        List<String[]> lines = table.lines().map(it -> COMMA.split(it, -1)).toList();
        String[] columns = lines.getFirst();
        return lines.stream()
                .skip(1)
                .map(it -> {
                    Map<String, String> row = new TreeMap<>();
                    for (int i = 0; i < columns.length; i++) {
                        row.put(columns[i], it[i]);
                    }
                    return row;
                })
                .toList();
    }

    /** Returns the entries of a ZIP file by name; those that are not JSON as texts. */
    private JsonNode entries(byte[] zip) throws IOException {
        JsonMapper json = instance().bean(JsonMapper.class);
        Map<String, Object> entries = new TreeMap<>();
        try (var in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                entries.put(
                        entry.getName(),
                        entry.getName().endsWith(".json") ? json.readTree(text) : text);
            }
        }
        return json.valueToTree(entries);
    }

    /** Adds the places where a value differs or is missing; fields added since are ignored. */
    private static void compare(
            JsonNode before, JsonNode now, String place, List<String> differences) {
        if (before.isObject()) {
            for (Map.Entry<String, JsonNode> field : before.properties()) {
                if (!CHANGING.containsKey(field.getKey())
                        && !isEstimate(before, field.getKey(), place)
                        && !isOfContent(field.getKey(), place)) {
                    compare(
                            field.getValue(),
                            now.path(field.getKey()),
                            place + " /" + field.getKey(),
                            differences);
                }
            }
        } else if (place.endsWith(" /sees")) {
            // The workers that a worker sees have no order.
            assertThat(now.valueStream())
                    .as(place)
                    .hasSameElementsAs(before.valueStream().toList());
        } else if (before.isArray() && before.size() == now.size()) {
            for (int i = 0; i < before.size(); i++) {
                compare(before.path(i), now.path(i), place + "/" + i, differences);
            }
        } else if (!same(before, now)) {
            differences.add("%s: %s was %s".formatted(place, now, before));
        }
    }

    /**
     * Tells whether a field is an estimate that may differ: the interval of two or three seeds is
     * their range now, and ratios of groups are geometric means.
     */
    private static boolean isEstimate(JsonNode object, String field, String place) {
        boolean isInterval = field.equals("low") || field.equals("high");
        return (isInterval && object.has("mean"))
                || (field.equals("ratios") && place.contains(" /groups/"));
    }

    /**
     * Tells whether a field is the size or the digest of a file in a bundle, which change with the
     * fields added since; the content of each file is compared by itself.
     */
    private static boolean isOfContent(String field, String place) {
        return place.contains(" /manifest.json /files/")
                && (field.equals("bytes") || field.equals("sha256"));
    }

    private static boolean same(JsonNode before, JsonNode now) {
        boolean areNumbers = before.isNumber() && now.isNumber();
        return areNumbers ? before.doubleValue() == now.doubleValue() : before.equals(now);
    }

    @Test
    void messagesOfTheVersionBeforeAreReadAndNothingIsLost() throws IOException {
        List<String> differences = new ArrayList<>();
        JsonMapper service = instance().bean(JsonMapper.class);
        JsonNode messages = service.readTree(resource("messages.json.gz"));
        assertThat(messages.size()).isGreaterThan(40);

        for (JsonNode message : messages) {
            String type = message.path("type").stringValue();
            compareMessage(message.path("body"), typeOf(type), service, differences);
        }

        assertThat(differences).isEmpty();
    }

    private static Class<?> typeOf(String name) {
        return Set.of(
                        Registration.class,
                        Admission.class,
                        Heartbeat.class,
                        HeartbeatReply.class,
                        Assignment.class,
                        Report.class,
                        ReportReply.class)
                .stream()
                .filter(it -> it.getSimpleName().equals(name))
                .findAny()
                .orElseThrow();
    }

    private static void compareMessage(
            JsonNode body, Class<?> type, JsonMapper json, List<String> differences) {
        Object read = json.treeToValue(body, type);
        if (read instanceof Report report) {
            assertThat(report.events()).noneMatch(AgentEvent.Unknown.class::isInstance);
        }
        compare(body, json.valueToTree(read), type.getSimpleName(), differences);
    }
}
