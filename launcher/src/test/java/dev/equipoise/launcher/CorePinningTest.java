package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CorePinningTest {

    private static final LocalWorker SLOW_1 = LocalWorker.UNEQUAL_WORKERS.get(0);
    private static final LocalWorker SLOW_2 = LocalWorker.UNEQUAL_WORKERS.get(1);
    private static final LocalWorker FAST = LocalWorker.UNEQUAL_WORKERS.get(2);

    @Test
    void fastWorkerHasOneOfTwoCoresForItself() {
        Map<LocalWorker, Integer> placed =
                CorePinning.spread(LocalWorker.UNEQUAL_WORKERS, List.of(4, 7));

        assertThat(placed).containsOnlyKeys(SLOW_1, SLOW_2, FAST);
        assertThat(placed.get(SLOW_1)).isEqualTo(placed.get(SLOW_2)).isNotEqualTo(placed.get(FAST));
    }

    @Test
    void everyWorkerHasItsOwnCoreIfThereAreEnough() {
        var placed = CorePinning.spread(LocalWorker.UNEQUAL_WORKERS, List.of(0, 1, 2, 3));

        assertThat(new HashSet<>(placed.values())).hasSize(3);
    }

    @Test
    void singleWorkerMayUseAllCores() {
        assertThat(CorePinning.spread(List.of(new LocalWorker("one", 1)), List.of(0, 1))).isEmpty();
    }

    @Test
    void unknownCoresPinNoWorker() {
        assertThat(CorePinning.spread(LocalWorker.UNEQUAL_WORKERS, List.of())).isEmpty();
    }

    @Test
    void coreListsConsistOfNumbersAndRanges() {
        assertThat(CorePinning.numbers("\t0-2,5,8-9\n")).containsExactly(0, 1, 2, 5, 8, 9);
        assertThat(CorePinning.numbers("3")).containsExactly(3);
    }
}
