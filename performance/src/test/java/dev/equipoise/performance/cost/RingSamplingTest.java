package dev.equipoise.performance.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Compression.SampledRows;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RingSamplingTest {

    private static final Offset<Double> EXACTLY = within(1e-12);

    private static Method ring(boolean followLinks) {
        return new Method(
                new Synchronization.Bsp(),
                Topology.AllReduce.by(Topology.Algorithm.RING),
                new SampledRows(0.1, 0.4, 0.5, followLinks, true));
    }

    /** Two pairs of ranks: 20 MB/s within a pair, 10 MB/s between pairs. */
    private static double pairs(int rank, int peer) {
        return rank / 2 == peer / 2 ? 0.05e-6 : 0.1e-6;
    }

    private static SampledRows rows(Method method) {
        return (SampledRows) method.compression();
    }

    /** The mean bandwidth around the ring is 15 MB/s and the slowest 10, two thirds of it. */
    @Test
    void slowestLinkOfTheRingDeterminesTheRate() {
        SampledRows rows = rows(RingSampling.resolved(ring(true), 4, RingSamplingTest::pairs));

        assertThat(rows.frequent()).isEqualTo(0.1);
        assertThat(rows.others()).isCloseTo(0.4 * 2 / 3, EXACTLY);
        assertThat(rows.hidden()).isCloseTo(0.5 * 2 / 3, EXACTLY);
        assertThat(rows.followLinks()).isFalse();
        assertThat(rows.errorFeedback()).isTrue();
    }

    @Test
    void equalLinksKeepTheShares() {
        SampledRows rows = rows(RingSampling.resolved(ring(true), 4, (_, _) -> 3e-9));

        assertThat(rows.others()).isCloseTo(0.4, EXACTLY);
        assertThat(rows.hidden()).isCloseTo(0.5, EXACTLY);
    }

    /** Four links of 10, 10, 10 and 1,000,000 MB/s: the fast one sends all, the others 0.6 / 3. */
    @Test
    void linkThatCarriesEverythingLeavesTheRestToTheOthers() {
        SampledRows rows =
                rows(RingSampling.resolved(ring(true), 4, (rank, _) -> rank == 0 ? 1e-12 : 0.1e-6));

        assertThat(rows.others()).isCloseTo(0.6 / 3, EXACTLY);
    }

    /** A fit to short messages may find that bytes take no time. */
    @Test
    void linksWithoutTimeForBytesAreFast() {
        assertThat(rows(RingSampling.resolved(ring(true), 4, (_, _) -> 0)).others())
                .isCloseTo(0.4, EXACTLY);
        assertThat(
                        rows(RingSampling.resolved(
                                        ring(true), 4, (rank, _) -> rank == 0 ? 0 : 0.1e-6))
                                .hidden())
                .isCloseTo(1.0 / 3, EXACTLY);
    }

    /** Ranks 0 and 1 are a pair of their own, the link to which is used in both directions. */
    @Test
    void linksOutsideOfTheRingDoNotCount() {
        SampledRows rows = rows(RingSampling.resolved(ring(true), 2, RingSamplingTest::pairs));

        assertThat(rows.others()).isCloseTo(0.4, EXACTLY);
    }

    @Test
    void loneRankKeepsTheShares() {
        assertThat(rows(RingSampling.resolved(ring(true), 1, RingSamplingTest::pairs)).others())
                .isCloseTo(0.4, EXACTLY);
    }

    @Test
    void otherMethodsAreUnchanged() {
        Method served =
                new Method(
                        new Synchronization.Bsp(),
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN),
                        ring(true).compression());
        Method plain =
                new Method(
                        new Synchronization.Bsp(), ring(true).topology(), new Compression.None());

        for (Method method : List.of(served, plain, ring(false))) {
            assertThat(RingSampling.resolved(method, 4, RingSamplingTest::pairs)).isSameAs(method);
        }
    }
}
