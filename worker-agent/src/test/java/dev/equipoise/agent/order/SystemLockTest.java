package dev.equipoise.agent.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SystemLockTest {

    private final OrderedLock lock = new SystemLock();
    private final List<Integer> choices = new ArrayList<>();

    private void acquire() {
        lock.enter(free -> {
            choices.add(free.getAsInt());
            return free.getAsInt();
        });
        lock.leave();
    }

    @Test
    void choosesTheNumberOfEarlierAcquisitions() {
        acquire();
        acquire();
        acquire();

        assertThat(choices).containsExactly(0, 1, 2);
    }

    @Test
    void rejectsAnImposedOrderAndStaysUsable() {
        assertThatThrownBy(() -> lock.enter(_ -> 4)).isInstanceOf(ReplayDivergence.class);

        acquire();
        assertThat(choices).containsExactly(0);
    }
}
