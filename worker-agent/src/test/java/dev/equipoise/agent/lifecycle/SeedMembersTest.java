package dev.equipoise.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeedMembersTest {

    @Test
    void addressesOfNamesFollowTheMembersOfTheService() {
        assertThat(
                        SeedMembers.of(
                                List.of("10.0.0.7:5701"), List.of("127.0.0.1:5701", "[::1]:5702")))
                .containsExactly("10.0.0.7:5701", "127.0.0.1:5701", "[0:0:0:0:0:0:0:1]:5702");
    }

    @Test
    void addressOccursOnce() {
        assertThat(SeedMembers.of(List.of("127.0.0.1:5701"), List.of("127.0.0.1:5701")))
                .containsExactly("127.0.0.1:5701");
    }

    @Test
    void nameWithoutAnAddressIsSkipped() {
        assertThat(SeedMembers.of(List.of(), List.of("agents.invalid:5701"))).isEmpty();
    }
}
