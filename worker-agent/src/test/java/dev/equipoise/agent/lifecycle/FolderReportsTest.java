package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.protocol.DataFolders;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FolderReportsTest {

    private final TestingTime time = new TestingTime();
    private final AtomicReference<List<String>> folders = new AtomicReference<>(List.of("birds"));
    private final FolderReports reports = new FolderReports(folders::get, Runnable::run, time);

    @Test
    void foldersAreReportedUntilTheServiceHasThem() {
        assertThat(reports.due()).containsExactly("birds");
        assertThat(reports.due()).containsExactly("birds");

        reports.confirm(List.of("birds"));

        assertThat(reports.due()).isNull();
        time.idle(Duration.ofSeconds(10));
        assertThat(reports.due()).isNull();
    }

    @Test
    void changesAreReportedWithinTenSeconds() {
        reports.confirm(reports.due());
        folders.set(List.of("birds", "flowers"));

        time.idle(Duration.ofSeconds(9));
        assertThat(reports.due()).isNull();
        time.idle(Duration.ofSeconds(1));
        assertThat(reports.due()).containsExactly("birds", "flowers");
        reports.confirm(null);
        assertThat(reports.due()).containsExactly("birds", "flowers");
    }

    @Test
    void hostWithoutFoldersReportsNone() {
        folders.set(List.of());

        assertThat(reports.due()).isEmpty();
        reports.confirm(List.of());
        assertThat(reports.due()).isNull();
    }

    /** A network file system may not answer; heartbeats go on. */
    @Test
    void readingThatHangsIsAwaitedByNobodyAndNotRepeated() {
        Deque<Runnable> hanging = new ArrayDeque<>();
        var slow = new FolderReports(folders::get, hanging::add, time);

        assertThat(slow.due()).isNull();
        time.idle(Duration.ofMinutes(1));
        assertThat(slow.due()).isNull();
        assertThat(hanging).hasSize(1);

        hanging.remove().run();
        assertThat(slow.due()).containsExactly("birds");
        assertThat(hanging).hasSize(1);
    }

    @Test
    void foldersBeyondTheLimitAreLeftOut() {
        folders.set(Collections.nCopies(DataFolders.MAX + 1, "a"));

        assertThat(reports.due()).hasSize(DataFolders.MAX);
    }
}
