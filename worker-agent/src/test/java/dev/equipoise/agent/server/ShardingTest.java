package dev.equipoise.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardingTest {

    @ParameterizedTest(name = "{0} elements, {1} servers")
    @CsvSource({"0, 1", "1, 3", "10, 3", "431080, 7", "54457228, 16"})
    void cutsTheVectorEvenly(long elements, int servers) {
        Sharding sharding = Sharding.byBytes(elements, servers);

        assertThat(sharding.bytes()).isEqualTo(elements * Float.BYTES);
        assertThat(sharding.shards())
                .hasSize(servers)
                .allMatch(shard -> shard.server() == shard.index())
                .allMatch(shard -> shard.bytes() >= elements / servers * Float.BYTES)
                .allMatch(shard -> shard.bytes() <= (elements / servers + 1) * Float.BYTES);
    }

    @Test
    void keepsLayersWholeAndBalancesServers() {
        Sharding sharding = Sharding.byLayers(List.of(30L, 500L, 20L, 450L, 10L), 2);

        assertThat(sharding.shards())
                .containsExactly(
                        new Shard(0, 1, 0, 120),
                        new Shard(1, 0, 120, 2000),
                        new Shard(2, 1, 2120, 80),
                        new Shard(3, 1, 2200, 1800),
                        new Shard(4, 0, 4000, 40));
        assertThat(sharding.of(0)).extracting(Shard::index).containsExactly(1, 4);
    }

    @Test
    void cutsEachBucketForAllServers() {
        Sharding sharding = Sharding.byBuckets(List.of(5L, 10L), 2);

        assertThat(sharding.shards())
                .containsExactly(
                        new Shard(0, 0, 0, 8),
                        new Shard(1, 1, 8, 12),
                        new Shard(2, 0, 20, 20),
                        new Shard(3, 1, 40, 20));
    }

    @Test
    void rejectsGapsAndNegativeLengths() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Sharding(List.of(new Shard(0, 0, 4, 8))))
                .withMessageStartingWith("shard 0 must begin at byte 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Shard(0, 0, 0, -4))
                .withMessage("shard 0 must have at least 0 bytes, but has -4");
    }

    @Test
    void theFirstRanksAreServers() {
        var roles = new Roles(2, 5);

        assertThat(roles.isServer(1)).isTrue();
        assertThat(roles.isServer(2)).isFalse();
        assertThat(roles.replicas()).containsExactly(2, 3, 4);
    }

    @Test
    void rejectsRolesWithoutReplicasOrServers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Roles(2, 2))
                .withMessage("of 2 ranks, 1 to 1 can be servers, but 2 are configured");
        assertThatIllegalArgumentException().isThrownBy(() -> new Roles(0, 2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Roles(1, 3).requireServed(Sharding.byBytes(8, 2)))
                .withMessageContaining("only the first 1 ranks are servers");
    }
}
