package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingEvents;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Outcome.Finished;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import dev.equipoise.protocol.RunReport.RoundReached;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

    private static final Journal.Owner OWNER = TestingJournal.OWNER;
    private static final AgentEvent READY = new ReplicaReady(0, 0.01, "00");

    @TempDir private Path folder;

    private static AgentEvent epoch(int epoch) {
        return TestingEvents.epoch(0, epoch, 100);
    }

    private static Journal journal(Journals journals) {
        return journals.of(
                OWNER.service(), OWNER.credential(), OWNER.assignment(), OWNER.generation());
    }

    private Outbox outbox(Journals journals) {
        return new Outbox(journal(journals));
    }

    /** Returns the outbox of the next process. */
    private Outbox restored() {
        Journals next = Journals.open(folder);
        assertThat(next.left(OWNER.service())).hasSize(1);
        Journal.Unsent unsent = next.left(OWNER.service()).getFirst();
        return Outbox.of(unsent, new Journal(unsent.owner(), unsent.file()));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(it -> it.toString().endsWith(".jsonl")).toList();
        }
    }

    @Test
    void nextProcessReportsUnconfirmedEventsUnderTheSameNumbers() {
        try (Journals journals = Journals.open(folder)) {
            Outbox outbox = outbox(journals);
            outbox.add(READY);
            outbox.report();
            outbox.confirm();
            outbox.add(new RoundReached(0, 1, 1));
            outbox.add(new RoundReached(0, 1, 2));
            outbox.report();
            outbox.add(epoch(1));
            outbox.add(new Finished());
        }

        Outbox outbox = restored();

        assertThat(outbox.report()).isEqualTo(new Report(3, 2, List.of(new RoundReached(0, 1, 2))));
        outbox.confirm();
        assertThat(outbox.report()).isEqualTo(new Report(3, 3, List.of(epoch(1), new Finished())));
        outbox.confirm();
        assertThat(outbox.isComplete()).isTrue();
    }

    @Test
    void tornLineIsSkipped() throws IOException {
        try (Journals journals = Journals.open(folder)) {
            Outbox outbox = outbox(journals);
            outbox.add(READY);
            outbox.add(epoch(1));
        }
        Files.writeString(files().getFirst(), "{\"kind\":\"epo", StandardOpenOption.APPEND);

        assertThat(restored().report()).isEqualTo(new Report(3, 1, List.of(READY, epoch(1))));
    }

    @Test
    void unreadableFileIsSkipped() throws IOException {
        try (Journals journals = Journals.open(folder)) {
            outbox(journals).add(READY);
        }
        Files.writeString(files().getFirst(), "nothing of ours\n\n");

        try (Journals next = Journals.open(folder)) {
            assertThat(next.left(OWNER.service())).isEmpty();
        }
        assertThat(files()).hasSize(1);
    }

    @Test
    void rewritingKeepsTheNumbers() {
        AgentEvent long1 = new RunReport.Noted(0, "x".repeat(900));
        try (Journals journals = Journals.open(folder)) {
            Outbox outbox = outbox(journals);
            for (int i = 0; i < 20_000; i++) {
                outbox.add(long1);
                if (i % 2 == 0) {
                    outbox.report();
                    outbox.confirm();
                }
            }
        }

        Report next = restored().report();
        assertThat(next.firstSequence()).isEqualTo(20_000);
        assertThat(next.events()).containsExactly(long1);
    }

    @Test
    void livingAgentKeepsItsJournals() {
        try (Journals first = Journals.open(folder)) {
            outbox(first).add(READY);

            try (Journals second = Journals.open(folder)) {
                assertThat(second.left(OWNER.service())).isEmpty();
            }
        }
        assertThat(restored().report().events()).containsExactly(READY);
    }

    /** Earlier versions have stored the address as it was given. */
    @Test
    void slashAtTheEndOfAStoredAddressIsIgnored() throws IOException {
        try (Journals journals = Journals.open(folder)) {
            outbox(journals).add(READY);
        }
        Path file = files().getFirst();
        String stored = Files.readString(file);
        String earlier = stored.replace("\"http://lab.example\"", "\"http://lab.example/\"");
        assertThat(earlier).isNotEqualTo(stored);
        Files.writeString(file, earlier);

        assertThat(restored().report().events()).containsExactly(READY);
    }

    @Test
    void otherServicesGetNothing() {
        try (Journals journals = Journals.open(folder)) {
            outbox(journals).add(READY);
        }

        try (Journals next = Journals.open(folder)) {
            assertThat(next.left(URI.create("http://elsewhere.example"))).isEmpty();
        }
        assertThat(restored().report().events()).containsExactly(READY);
    }

    @Test
    void onlyTheOwnerMayListTheJournals() throws IOException {
        try (Journals _ = Journals.open(folder.resolve("unsent"))) {
            try (Stream<Path> all = Files.walk(folder)) {
                assertThat(all.skip(1).filter(Files::isDirectory))
                        .hasSize(2)
                        .allSatisfy(it ->
                                assertThat(Files.getPosixFilePermissions(it))
                                        .isEqualTo(PosixFilePermissions.fromString("rwx------")));
            }
        }
    }

    @Test
    void onlyTheOwnerMayReadTheCredential() throws IOException {
        try (Journals journals = Journals.open(folder)) {
            outbox(journals).add(READY);

            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(files().getFirst())))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void adoptedEventsAreReportedWithTheNewestCredential() throws IOException {
        Credential newest = Credential.random(new SecureRandom());
        try (Journals journals = Journals.open(folder)) {
            outbox(journals).add(READY);
            assertThat(journals.renew(OWNER.credential(), Credential.random(new SecureRandom())))
                    .isTrue();
            assertThat(journals.renew(OWNER.credential(), newest)).isTrue();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all.filter(it -> it.toString().endsWith(".credential")))
                    .hasSize(1)
                    .allSatisfy(it ->
                            assertThat(Files.getPosixFilePermissions(it))
                                    .isEqualTo(PosixFilePermissions.fromString("rw-------")));
        }
        Journals.open(folder).close();

        try (Journals next = Journals.open(folder)) {
            assertThat(next.left(OWNER.service()))
                    .extracting(it -> it.owner().credential())
                    .as("also after a process that did not report it")
                    .containsExactly(newest);
        }
    }

    @Test
    void credentialIsDeletedWithTheLastJournal() throws IOException {
        try (Journals journals = Journals.open(folder)) {
            Journal journal = journal(journals);
            new Outbox(journal).add(READY);
            journals.renew(OWNER.credential(), Credential.random(new SecureRandom()));
            journal.delete();
        }

        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).isEmpty();
        }
    }

    @Test
    void emptyFolderIsDeleted() throws IOException {
        try (Journals journals = Journals.open(folder)) {
            Journal journal = journal(journals);
            new Outbox(journal).add(READY);
            journal.delete();
        }

        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).isEmpty();
        }
    }

    @Test
    void unusableFolderDoesNotStopTheAgent() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "no folder");

        try (Journals journals = Journals.open(file.resolve("below"))) {
            Outbox outbox = outbox(journals);
            outbox.add(READY);
            assertThat(outbox.report().events()).containsExactly(READY);
        }
    }
}
