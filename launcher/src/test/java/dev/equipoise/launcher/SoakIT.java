package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.testing.Night;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Runs short runs of every method, one after another for hours, in a lab that deletes old runs, and
 * asserts that memory, threads, files and disk of its programs do not grow. {@code ./equipoise
 * soak}.
 */
@Night("hundreds of runs, for hours: ./equipoise soak")
@EnabledIfSystemProperty(named = "equipoise.soak.runs", matches = "\\d+")
class SoakIT {

    private static final int RUNS = Integer.getInteger("equipoise.soak.runs", 0);
    private static final Duration TIME =
            Duration.ofMinutes(Integer.getInteger("equipoise.soak.minutes", 0));

    private static final int KEPT = 25;

    /** Runs between two measurements of the programs. */
    private static final int STRIDE = Math.max(1, RUNS / 20);

    /** Factor by which a figure may grow after the first third, in which lazy state is created. */
    private static final double GROWTH = 1.1;

    @TempDir private Path folder;

    private final long begun = System.nanoTime();
    private final Map<String, List<Footprint>> footprints = new LinkedHashMap<>();
    private final Deque<String> kept = new ArrayDeque<>();

    @Test
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void resourceUsageDoesNotGrowWithTheNumberOfRuns() throws Exception {
        try (var lab = ChaosLab.startOnLoopback(folder)) {
            List<String> experiments = experiments(lab);
            long end = System.nanoTime() + TIME.toNanos();
            System.out.println(
                    "| runs | minutes | program | heap | resident | threads | files | disk |");
            System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- |");
            for (int run = 1; run <= RUNS || System.nanoTime() < end; run++) {
                runToEnd(lab, experiments.get(run % experiments.size()));
                if (run % STRIDE == 0) {
                    measure(lab, run);
                }
            }
        }
        footprints.forEach(SoakIT::assertFlat);
    }

    private static List<String> experiments(ChaosLab lab) {
        String project = lab.api().post("projects", Map.of("name", "soak")).path("id").asString();
        return Stream.of(Method.values())
                .map(it -> it.definition("soak-" + name(it), 1500, "mlp-784-512-10", 2))
                .map(it -> lab.create(project, it))
                .toList();
    }

    private static String name(Method method) {
        return method.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void runToEnd(ChaosLab lab, String experiment) throws Exception {
        JsonNode run = lab.awaitEnd(lab.queue(experiment));
        assertThat(run.path("state").asString()).as("%s", run).isEqualTo("COMPLETED");
        kept.add(run.path("id").asString());
        if (kept.size() > KEPT) {
            lab.deleteRun(kept.remove());
        }
    }

    private void measure(ChaosLab lab, int run) throws IOException {
        for (Map.Entry<String, ProcessHandle> program : lab.programs().entrySet()) {
            addMeasurement(run, program.getKey(), Footprint.ofJava(program.getValue()));
        }
        addMeasurement(run, "database", Footprint.ofDatabase(lab.database(), lab.databaseFolder()));
    }

    private void addMeasurement(int run, String program, Footprint footprint) {
        long minutes = Duration.ofNanos(System.nanoTime() - begun).toMinutes();
        System.out.printf("| %d | %d | %s | %s |%n", run, minutes, program, footprint);
        footprints.computeIfAbsent(program, _ -> new ArrayList<>()).add(footprint);
    }

    private static void assertFlat(String program, List<Footprint> all) {
        int third = all.size() / 3;
        Footprint before = Footprint.median(all.subList(third, 2 * third));
        Footprint after = Footprint.median(all.subList(all.size() - third, all.size()));
        assertThat(after.heap()).as(program).isLessThan(before.heap() * GROWTH + 1);
        assertThat(after.resident()).as(program).isLessThan(before.resident() * GROWTH + 1);
        assertThat(after.threads()).as(program).isLessThan(before.threads() * GROWTH + 1);
        assertThat(after.files()).as(program).isLessThan(before.files() * GROWTH + 1);
        assertThat(after.disk()).as(program).isLessThan(before.disk() * GROWTH + 1);
    }
}
