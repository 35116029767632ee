package dev.equipoise.app.problem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BodyBudgetTest {

    private final BodyBudget budget = new BodyBudget(400);

    @Test
    void callerGetsAQuarter() {
        assertThat(budget.take("a", 60)).isTrue();
        assertThat(budget.take("a", 41)).isFalse();
        assertThat(budget.take("a", 40)).isTrue();
        assertThat(budget.take("a", 1)).isFalse();

        assertThat(budget.take("b", 100)).isTrue();
    }

    @Test
    void allCallersTogetherGetTheMemory() {
        for (String caller : new String[] {"a", "b", "c", "d"}) {
            assertThat(budget.take(caller, 100)).isTrue();
        }

        assertThat(budget.take("e", 1)).isFalse();
    }

    @Test
    void returnedBytesAreFreeAgain() {
        budget.take("a", 100);

        budget.giveBack("a", 30);

        assertThat(budget.take("a", 31)).isFalse();
        assertThat(budget.take("a", 30)).isTrue();
        budget.giveBack("a", 100);
        assertThat(budget.take("a", 100)).isTrue();
    }
}
