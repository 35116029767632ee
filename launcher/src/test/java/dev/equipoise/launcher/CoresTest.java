package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CoresTest {

    private static final LocalWorker SLOW_1 = LocalWorker.MIXED_BAG.get(0);
    private static final LocalWorker SLOW_2 = LocalWorker.MIXED_BAG.get(1);
    private static final LocalWorker FAST = LocalWorker.MIXED_BAG.get(2);

    @Test
    void onTwoCoresTheFastWorkerHasOneForItself() {
        Map<LocalWorker, Integer> placed = Cores.spread(LocalWorker.MIXED_BAG, List.of(4, 7));

        assertThat(placed).containsOnlyKeys(SLOW_1, SLOW_2, FAST);
        assertThat(placed.get(SLOW_1)).isEqualTo(placed.get(SLOW_2)).isNotEqualTo(placed.get(FAST));
    }

    @Test
    void whereThereAreEnoughCoresEveryWorkerHasItsOwn() {
        var placed = Cores.spread(LocalWorker.MIXED_BAG, List.of(0, 1, 2, 3));

        assertThat(new HashSet<>(placed.values())).hasSize(3);
    }

    @Test
    void aSingleWorkerHasAllCores() {
        assertThat(Cores.spread(List.of(new LocalWorker("one", 1)), List.of(0, 1))).isEmpty();
    }

    @Test
    void aSystemThatDoesNotTellItsCoresPlacesTheWorkersItself() {
        assertThat(Cores.spread(LocalWorker.MIXED_BAG, List.of())).isEmpty();
    }

    @Test
    void listsOfCoresAreNumbersAndRanges() {
        assertThat(Cores.numbers("\t0-2,5,8-9\n")).containsExactly(0, 1, 2, 5, 8, 9);
        assertThat(Cores.numbers("3")).containsExactly(3);
    }
}
