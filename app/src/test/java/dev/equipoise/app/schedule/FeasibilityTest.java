package dev.equipoise.app.schedule;

import static dev.equipoise.app.schedule.TestingPlacement.EQUAL;
import static dev.equipoise.app.schedule.TestingPlacement.wants;
import static dev.equipoise.app.schedule.TestingPlacement.wantsFolder;
import static dev.equipoise.app.schedule.TestingPlacement.withFolders;
import static dev.equipoise.app.schedule.TestingPlacement.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FeasibilityTest {

    private static LabWorker having(int number, @Nullable List<String> folders) {
        return withFolders(worker(number, WorkerState.BUSY, Map.of()), folders);
    }

    @Test
    void folderThatNoWorkerHasIsUnknown() {
        List<LabWorker> live =
                List.of(having(1, List.of("flowers")), having(2, List.of("birds", "flowers")));

        assertThat(Feasibility.unknownFolder(wantsFolder(1, "flowres"), live))
                .contains(
                        new Violation(
                                "/dataset/folder",
                                "must be a data folder of a worker: no worker knows the folder"
                                        + " flowres; known are birds, flowers",
                                "flowres"));
        assertThat(Feasibility.unknownFolder(wantsFolder(3, "birds"), live)).isEmpty();
    }

    @Test
    void folderMayBeKnownToWorkersThatReportNone() {
        List<LabWorker> live = List.of(having(1, List.of()), having(2, null));

        assertThat(Feasibility.unknownFolder(wantsFolder(1, "flowers"), live)).isEmpty();
        assertThat(Feasibility.unknownFolder(wantsFolder(1, "flowers"), List.of())).isEmpty();
    }

    @Test
    void publishedDataNeedNoFolder() {
        List<LabWorker> live = List.of(having(1, List.of()));

        assertThat(Feasibility.unknownFolder(wants(1, Map.of(), EQUAL), live)).isEmpty();
    }

    @Test
    void longListsOfFoldersAreCut() {
        List<String> many = IntStream.range(10, 35).mapToObj(it -> "folder-" + it).toList();

        assertThat(Feasibility.unknownFolder(wantsFolder(1, "x"), List.of(having(1, many))))
                .hasValueSatisfying(
                        it -> assertThat(it.rule()).endsWith("folder-28, folder-29 and 5 more"));
        assertThat(Feasibility.unknownFolder(wantsFolder(1, "x"), List.of(having(1, List.of()))))
                .hasValueSatisfying(it -> assertThat(it.rule()).endsWith("known are none"));
    }
}
