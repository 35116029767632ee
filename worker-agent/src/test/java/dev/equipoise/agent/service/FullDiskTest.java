package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.equipoise.agent.TestingEvents;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests the journals of an agent whose disk is full for a while. */
class FullDiskTest {

    private static final Journal.Owner OWNER = TestingJournal.OWNER;
    private static final AgentEvent READY = new ReplicaReady(0, 0.01, "00");

    @TempDir private Path folder;

    private final Logger log = (Logger) LoggerFactory.getLogger(JournalDisk.class);
    private final Level level = log.getLevel();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private boolean isFull;

    @BeforeEach
    void listen() {
        logged.start();
        log.setLevel(Level.INFO);
        log.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(logged);
        log.setLevel(level);
    }

    private static AgentEvent epoch(int epoch) {
        return TestingEvents.epoch(0, epoch, 100);
    }

    private Journals journals() {
        return Journals.open(
                folder, new JournalDisk(file -> new Full(JournalDisk.createPrivately(file))));
    }

    private static Outbox outbox(Journals journals) {
        return new Outbox(
                journals.of(
                        OWNER.service(),
                        OWNER.credential(),
                        AssignmentId.of(UUID.randomUUID()),
                        OWNER.generation()));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(it -> it.toString().contains(".jsonl")).toList();
        }
    }

    /** Returns the outbox of the next process. */
    private Outbox restored() {
        List<Journal.Unsent> left = Journals.open(folder).left(OWNER.service());
        assertThat(left).hasSize(1);
        Journal.Unsent unsent = left.getFirst();
        return Outbox.of(unsent, new Journal(unsent.owner(), unsent.file()));
    }

    private static void deliver(Outbox outbox) {
        outbox.report();
        outbox.confirm();
    }

    @Test
    void eventsStayInMemoryAndNoTornFileIsLeft() throws IOException {
        try (Journals journals = journals()) {
            Outbox outbox = outbox(journals);
            outbox.add(READY);
            isFull = true;

            outbox.add(epoch(1));
            outbox.add(epoch(2));

            assertThat(files()).isEmpty();
            assertThat(outbox.report())
                    .isEqualTo(new Report(3, 1, List.of(READY, epoch(1), epoch(2))));
        }
    }

    @Test
    void journalIsWrittenAgainWhenNothingWaits() {
        try (Journals journals = journals()) {
            Outbox outbox = outbox(journals);
            outbox.add(READY);
            isFull = true;
            outbox.add(epoch(1));
            deliver(outbox);
            isFull = false;
            outbox.add(epoch(2));
            deliver(outbox);

            outbox.add(epoch(3));
        }

        assertThat(restored().report()).isEqualTo(new Report(3, 4, List.of(epoch(3))));
    }

    @Test
    void journalIsWrittenAgainWhileTheServiceIsAway() {
        try (Journals journals = journals()) {
            Outbox outbox = outbox(journals);
            isFull = true;
            outbox.add(READY);
            isFull = false;

            for (int epoch = 1; epoch <= Journal.RETRY_INTERVAL; epoch++) {
                outbox.add(epoch(epoch));
            }
        }

        assertThat(restored().size()).isEqualTo(Journal.RETRY_INTERVAL + 1);
    }

    @Test
    void failureAndRecoveryOfAllJournalsAreLoggedOnce() {
        try (Journals journals = journals()) {
            List<Outbox> outboxes = List.of(outbox(journals), outbox(journals));
            isFull = true;
            for (Outbox outbox : outboxes) {
                outbox.add(READY);
                deliver(outbox);
            }
            isFull = false;
            for (Outbox outbox : outboxes) {
                outbox.add(epoch(1));
                deliver(outbox);
            }
        }

        assertThat(logged.list)
                .extracting(ILoggingEvent::getLevel)
                .containsExactly(Level.WARN, Level.INFO);
        assertThat(logged.list.getFirst().getFormattedMessage())
                .startsWith("events that the service has not confirmed are in memory alone")
                .endsWith("No space left on device");
    }

    /** Writer on a disk that is full at times. */
    private final class Full extends FilterWriter {

        Full(Writer file) {
            super(file);
        }

        @Override
        public void flush() throws IOException {
            if (isFull) {
                throw new IOException("No space left on device");
            }
            super.flush();
        }

        /** Fails like a buffered writer with bytes left, but releases the file. */
        @Override
        public void close() throws IOException {
            try {
                flush();
            } finally {
                super.close();
            }
        }
    }
}
