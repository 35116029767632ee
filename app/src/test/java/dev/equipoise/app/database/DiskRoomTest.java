package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiskRoomTest {

    @Test
    void newDataNeedMoreThanKnownData() {
        DiskRoom room = new DiskRoom((200 << 20) - 1);

        assertThat(room.lackForNewData())
                .hasValue("its disk has 199 MiB left, and new data need at least 200 MiB");
        assertThat(room.lackForKnownData()).isEmpty();
        assertThat(new DiskRoom(200 << 20).lackForNewData()).isEmpty();
    }

    @Test
    void knownDataNeedRoomToo() {
        assertThat(new DiskRoom((64 << 20) - 1).lackForKnownData())
                .hasValue("its disk has 63 MiB left, and the server needs at least 64 MiB");
    }

    @Test
    void roomForLessThanAMebibyteIsNone() {
        assertThat(new DiskRoom((1 << 20) - 1).isNone()).isTrue();
        assertThat(new DiskRoom(1 << 20).isNone()).isFalse();
    }
}
