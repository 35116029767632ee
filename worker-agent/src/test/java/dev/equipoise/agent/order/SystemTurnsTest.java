package dev.equipoise.agent.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SystemTurnsTest {

    private final Turns turns = new SystemTurns();
    private final List<Integer> decided = new ArrayList<>();

    private void turn() {
        turns.enter(free -> {
            decided.add(free.getAsInt());
            return free.getAsInt();
        });
        turns.leave();
    }

    @Test
    void tellsEachHowManyWereBefore() {
        turn();
        turn();
        turn();

        assertThat(decided).containsExactly(0, 1, 2);
    }

    @Test
    void takesNoOrdersAndGoesOnAfterThem() {
        assertThatThrownBy(() -> turns.enter(_ -> 4)).isInstanceOf(OrderImpossible.class);

        turn();
        assertThat(decided).containsExactly(0);
    }
}
