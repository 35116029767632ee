package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiskSpaceCheckTest {

    @Test
    void newDataNeedsMoreSpaceThanExistingData() {
        DiskSpaceCheck space = new DiskSpaceCheck((200 << 20) - 1);

        assertThat(space.lackForNewData())
                .hasValue("its disk has 199 MiB left, but a new database needs at least 200 MiB");
        assertThat(space.lackForKnownData()).isEmpty();
        assertThat(new DiskSpaceCheck(200 << 20).lackForNewData()).isEmpty();
    }

    @Test
    void existingDataNeedsSpaceToo() {
        assertThat(new DiskSpaceCheck((64 << 20) - 1).lackForKnownData())
                .hasValue("its disk has 63 MiB left, but the server needs at least 64 MiB");
    }

    @Test
    void lessThanOneMebibyteCountsAsNone() {
        assertThat(new DiskSpaceCheck((1 << 20) - 1).isNone()).isTrue();
        assertThat(new DiskSpaceCheck(1 << 20).isNone()).isFalse();
    }
}
