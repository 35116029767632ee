package dev.equipoise.performance.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.performance.statistics.TieGroups.Interval;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TieGroupsTest {

    private static Interval within(double seconds, double uncertainty) {
        return new Interval(seconds / (1 + uncertainty), seconds * (1 + uncertainty));
    }

    private static BiPredicate<Double, Double> overlapping(double uncertainty) {
        return (one, other) -> within(one, uncertainty).overlaps(within(other, uncertainty));
    }

    /** 25 predictions between 0.597 s and 0.621 s, each uncertain by a fifth. */
    @Test
    void overlappingPredictionsAreOneGroup() {
        List<Double> seconds = IntStream.range(0, 25).mapToObj(it -> 0.597 + it / 1e3).toList();

        assertThat(TieGroups.of(seconds, overlapping(0.2))).containsExactly(seconds);
    }

    @Test
    void entryThatOverlapsOnlyALaterMemberBeginsAGroup() {
        assertThat(TieGroups.of(List.of(10.0, 11.5, 13.0), overlapping(0.1)))
                .containsExactly(List.of(10.0, 11.5), List.of(13.0));
    }

    @Test
    void uncertainEntryJoinsTheGroupOfTheBest() {
        List<Interval> entries =
                List.of(new Interval(1, 2), new Interval(4, 5), new Interval(1.5, 20));

        assertThat(TieGroups.of(entries, Interval::overlaps))
                .containsExactly(List.of(entries.get(0), entries.get(2)), List.of(entries.get(1)));
    }

    @Test
    void exactEntriesTieOnlyIfTheyAreEqual() {
        assertThat(TieGroups.of(List.of(1.0, 1.0, 2.0), overlapping(0)))
                .containsExactly(List.of(1.0, 1.0), List.of(2.0));
        assertThat(TieGroups.of(List.<Interval>of(), Interval::overlaps)).isEmpty();
    }
}
