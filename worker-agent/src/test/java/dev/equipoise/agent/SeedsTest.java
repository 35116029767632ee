package dev.equipoise.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeedsTest {

    @Test
    void aNameStandsForAllItsAddressesBehindThoseThatAreTold() {
        assertThat(Seeds.of(List.of("10.0.0.7:5701"), List.of("127.0.0.1:5701", "[::1]:5702")))
                .containsExactly("10.0.0.7:5701", "127.0.0.1:5701", "[0:0:0:0:0:0:0:1]:5702");
    }

    @Test
    void anAddressIsSoughtOnce() {
        assertThat(Seeds.of(List.of("127.0.0.1:5701"), List.of("127.0.0.1:5701")))
                .containsExactly("127.0.0.1:5701");
    }

    @Test
    void aNameWithoutAnAddressIsLeftOut() {
        assertThat(Seeds.of(List.of(), List.of("agents.invalid:5701"))).isEmpty();
    }
}
