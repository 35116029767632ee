package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TarReaderTest {
    private static final byte[] HELLO = "hello".getBytes(UTF_8);

    @Test
    void readsWantedFilesAndSkipsTheRest() throws IOException {
        byte[] long1 = new byte[1000];
        Arrays.fill(long1, (byte) 7);
        byte[] archive =
                TestingTar.archive(
                        TestingTar.entry("a/", '5', new byte[0]),
                        TestingTar.entry("a/other", '0', long1),
                        TestingTar.entry("a/wanted", '0', HELLO),
                        TestingTar.entry("a/exact", '0', new byte[512]),
                        TestingTar.entry("a/last", '\0', long1));

        Map<String, byte[]> files = read(archive, "a/wanted", "a/last", "a/absent");

        assertThat(files).containsOnlyKeys("a/wanted", "a/last");
        assertThat(files.get("a/wanted")).isEqualTo(HELLO);
        assertThat(files.get("a/last")).isEqualTo(long1);
    }

    @Test
    void doesNotFollowLinks() throws IOException {
        byte[] archive = TestingTar.archive(TestingTar.entry("a/link", '2', new byte[0]));

        assertThat(read(archive, "a/link")).isEmpty();
    }

    @Test
    void rejectsASizeAboveTheLimit() {
        byte[] archive =
                TestingTar.archive(TestingTar.entry("big", '0', "77777777777", new byte[0]));

        assertThatIOException()
                .isThrownBy(() -> read(archive, "big"))
                .withMessageContaining("77777777777");
    }

    @Test
    void rejectsATruncatedArchive() {
        byte[] entry = TestingTar.entry("cut", '0', HELLO);

        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> read(Arrays.copyOf(entry, 514), "cut"));
        assertThatExceptionOfType(EOFException.class).isThrownBy(() -> read(entry, "cut"));
    }

    private static Map<String, byte[]> read(byte[] archive, String... wanted) throws IOException {
        return TarReader.read(new ByteArrayInputStream(archive), List.of(wanted));
    }
}
