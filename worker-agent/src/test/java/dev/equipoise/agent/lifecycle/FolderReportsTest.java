package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.protocol.DataFolders;
import dev.equipoise.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FolderReportsTest {

    private static final List<Path> PLACES = List.of(Path.of("/data"), Path.of("/cache"));

    private final Logger logger = (Logger) LoggerFactory.getLogger(FolderReports.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final TestingTime time = new TestingTime();
    private final AtomicReference<List<String>> folders = new AtomicReference<>(List.of("birds"));
    private final FolderReports reports = new FolderReports(folders::get, Runnable::run, time);

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void detach() {
        logger.detachAppender(lines);
    }

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
    void agentJoinsWithoutFoldersThatAreNotReadInTime() throws InterruptedException {
        var answer = new CountDownLatch(1);
        try (var threads = Executors.newSingleThreadExecutor()) {
            assertThat(
                            FolderReports.atStart(
                                    () -> awaited(answer, "birds"), threads, Duration.ZERO, PLACES))
                    .isEmpty();
            answer.countDown();
            assertThat(
                            FolderReports.atStart(
                                    () -> awaited(answer, "birds"),
                                    threads,
                                    Patience.PATIENCE,
                                    PLACES))
                    .containsExactly("birds");
        }
        assertThat(warnings())
                .containsExactly(
                        "the data folders in [/data, /cache] were not read within 0 s; this agent"
                                + " joins without them, and reports them as soon as their file"
                                + " system answers");
    }

    private static List<String> awaited(CountDownLatch answer, String folder) {
        try {
            answer.await();
            return List.of(folder);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> warnings() {
        return lines.list.stream()
                .filter(it -> it.getLevel().equals(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void foldersBeyondTheLimitAreLeftOut() {
        folders.set(Collections.nCopies(DataFolders.MAX + 1, "a"));

        assertThat(reports.due()).hasSize(DataFolders.MAX);
    }

    @Test
    void foldersBeyondTheLimitAreToldOnceForEachList() {
        folders.set(Collections.nCopies(DataFolders.MAX + 1, "a"));
        for (int i = 0; i < 3; i++) {
            assertThat(reports.due()).isNotNull();
            time.idle(Duration.ofSeconds(10));
        }
        assertThat(warnings()).hasSize(1);

        folders.set(Collections.nCopies(DataFolders.MAX + 2, "b"));
        assertThat(reports.due()).isNotNull();

        assertThat(warnings())
                .containsExactly(
                        "this host has 501 data folders; runs can use the first 500 by name alone",
                        "this host has 502 data folders; runs can use the first 500 by name alone");
    }
}
