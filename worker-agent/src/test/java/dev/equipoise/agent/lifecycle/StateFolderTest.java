package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.WorkerId;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateFolderTest {

    private static final URI SERVICE = URI.create("http://lab:8080");
    private static final WorkerId WORKER = WorkerId.of(new UUID(0, 1));
    private static final Credential FIRST = credential('a');
    private static final Credential SECOND = credential('b');
    private static final HostDescription HOST =
            new HostDescription("host", 8, 2, 1L << 34, "Linux amd64", "oneDNN", 1, "Model 1");
    private static final WorkerIdentity JOINING = WorkerIdentity.joining(SERVICE, FIRST);
    private static final WorkerIdentity JOINED = JOINING.registered(SERVICE, WORKER, HOST);

    @TempDir private Path temporary;

    private static Credential credential(char letter) {
        return Credential.of(Credential.PREFIX + String.valueOf(letter).repeat(43));
    }

    private Path folder() {
        return temporary.resolve("state").resolve("agent");
    }

    @Test
    void newFolderHasNoWorker() {
        try (StateFolder state = StateFolder.open(folder())) {
            assertThat(state.identity()).isEmpty();
            assertThat(state.joining()).isEmpty();
        }
    }

    @Test
    void nextProcessReadsTheWorker() {
        try (StateFolder state = StateFolder.open(folder())) {
            state.beginJoining(JOINING);
            state.joined(JOINED);
        }

        try (StateFolder next = StateFolder.open(folder())) {
            assertThat(next.identity()).contains(JOINED);
            assertThat(next.joining()).isEmpty();
        }
    }

    /** Earlier versions have stored the address as it was given. */
    @Test
    void slashAtTheEndOfAStoredAddressIsIgnored() throws IOException {
        try (StateFolder state = StateFolder.open(folder())) {
            state.joined(JOINED);
        }
        Path file = folder().resolve("worker.json");
        String stored = Files.readString(file);
        String earlier = stored.replace("\"http://lab:8080\"", "\"http://lab:8080/\"");
        assertThat(earlier).isNotEqualTo(stored);
        Files.writeString(file, earlier);

        try (StateFolder next = StateFolder.open(folder())) {
            assertThat(next.identity()).contains(JOINED);
        }
    }

    @Test
    void onlyTheOwnerMayReadTheFolderAndItsFiles() throws IOException {
        try (StateFolder state = StateFolder.open(folder())) {
            state.beginJoining(JOINING);
            assertThat(modes()).containsOnly("rw-------");
            state.joined(JOINED);
            state.renew(SECOND);
            assertThat(modes()).containsOnly("rw-------");
        }

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())))
                .isEqualTo("rwx------");
    }

    private List<String> modes() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            List<Path> all = files.toList();
            assertThat(all).hasSizeGreaterThanOrEqualTo(2);
            return all.stream().map(StateFolderTest::mode).toList();
        }
    }

    private static String mode(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void secondOpeningIsRefusedWithFolderAndProcess() {
        try (StateFolder _ = StateFolder.open(folder())) {
            assertThatThrownBy(() -> StateFolder.open(folder()))
                    .isInstanceOf(AgentFailed.class)
                    .hasMessage(
                            "another agent (process %d) uses the state folder %s: stop it, or give this agent a folder of its own with --state",
                            ProcessHandle.current().pid(), folder());
        }
        StateFolder.open(folder()).close();
    }

    /** The service may have admitted the worker, whose answer the process has not stored. */
    @Test
    void processThatEndsWhileItJoinsLeavesItsCredential() {
        try (StateFolder state = StateFolder.open(folder())) {
            state.beginJoining(JOINING);
        }

        try (StateFolder next = StateFolder.open(folder())) {
            assertThat(next.identity()).isEmpty();
            assertThat(next.joining()).contains(JOINING);
        }
    }

    @Test
    void earlierWorkerStaysUntilTheNextIsConfirmed() {
        WorkerIdentity next = WorkerIdentity.joining(URI.create("http://other:1"), SECOND);
        try (StateFolder state = StateFolder.open(folder())) {
            state.joined(JOINED);
            state.beginJoining(next);
        }

        try (StateFolder later = StateFolder.open(folder())) {
            assertThat(later.identity()).contains(JOINED);
            assertThat(later.joining()).contains(next);
        }
    }

    /** The process ends after it has written the worker and before it deletes the credential. */
    @Test
    void credentialThatIsStoredTwiceDoesNoHarm() throws IOException {
        try (StateFolder state = StateFolder.open(folder())) {
            state.beginJoining(JOINING);
            byte[] joining = Files.readAllBytes(folder().resolve("joining.json"));
            state.joined(JOINED);
            Files.write(folder().resolve("joining.json"), joining);
        }

        try (StateFolder next = StateFolder.open(folder())) {
            assertThat(next.identity()).contains(JOINED);
            assertThat(next.joining())
                    .hasValueSatisfying(it -> assertThat(it.credential()).isEqualTo(FIRST));
        }
    }

    /** The process ends in the middle of a write. */
    @Test
    void partOfAFileIsIgnoredAndReplaced() throws IOException {
        try (StateFolder state = StateFolder.open(folder())) {
            state.joined(JOINED);
        }
        Files.writeString(folder().resolve("worker.json.part"), "{\"service\": \"htt");

        try (StateFolder next = StateFolder.open(folder())) {
            assertThat(next.identity()).contains(JOINED);
            assertThat(next.renew(SECOND)).isTrue();
        }
    }

    @Test
    void renewedCredentialKeepsThePreviousOne() {
        try (StateFolder state = StateFolder.open(folder())) {
            state.joined(JOINED);
            assertThat(state.renew(SECOND)).isTrue();
            assertThat(state.renew(SECOND)).as("repeated").isTrue();
        }

        try (StateFolder next = StateFolder.open(folder())) {
            WorkerIdentity identity = next.identity().orElseThrow();
            assertThat(identity.byNewestCredential().map(WorkerIdentity::credential))
                    .containsExactly(SECOND, FIRST);
            assertThat(identity.worker()).isEqualTo(WORKER);
        }
    }

    @Test
    void credentialThatCannotBeStoredIsNotUsed() throws IOException {
        try (StateFolder state = StateFolder.open(folder())) {
            state.joined(JOINED);
            Files.createDirectories(folder().resolve("worker.json.part").resolve("full"));

            assertThat(state.renew(SECOND)).isFalse();

            assertThat(state.identity()).contains(JOINED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"credential\": \"eqw_secret\"", "{}", "null", ""})
    void damagedStateIsRefusedWithoutItsContent(String content) throws IOException {
        StateFolder.open(folder()).close();
        Files.writeString(folder().resolve("worker.json"), content);

        assertThatThrownBy(() -> StateFolder.open(folder()))
                .isInstanceOf(AgentFailed.class)
                .hasMessageContaining("worker.json is not a state that an agent has written")
                .message()
                .doesNotContain("eqw_");
    }

    @Test
    void folderThatCannotBeUsedIsNamed() throws IOException {
        Path file = Files.createFile(temporary.resolve("file"));

        assertThatThrownBy(() -> StateFolder.open(file.resolve("below")))
                .isInstanceOf(AgentFailed.class)
                .hasMessageContaining("the state folder %s cannot be used", file.resolve("below"));
    }

    @Test
    void textOfAnIdentityOmitsTheCredential() {
        assertThat(JOINED.toString()).contains(WORKER.toString()).doesNotContain("eqw_");
    }

    @Test
    void defaultFolderIsInTheStateOfTheUser() {
        assertThat(StateFolder.folder(Map.of("HOME", "/home/ann")))
                .isEqualTo(Path.of("/home/ann/.local/state/equipoise/agent"));
        assertThat(StateFolder.folder(Map.of("HOME", "/home/ann", "XDG_STATE_HOME", "/state")))
                .isEqualTo(Path.of("/state/equipoise/agent"));
    }
}
