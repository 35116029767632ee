package dev.equipoise.performance.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BandwidthSharesTest {

    private static final Offset<Double> EXACTLY = within(1e-9);

    @Test
    void sharesAreProportionalToBandwidths() {
        List<Double> shares = BandwidthShares.of(0.5, List.of(10.0, 20.0, 30.0));

        assertThat(shares.get(0)).isCloseTo(0.25, EXACTLY);
        assertThat(shares.get(1)).isCloseTo(0.5, EXACTLY);
        assertThat(shares.get(2)).isCloseTo(0.75, EXACTLY);
    }

    /** The fastest replica sends everything, the others 1.4 in the ratio of one to two. */
    @Test
    void sharesAreAtMostOneAndKeepTheMean() {
        List<Double> shares = BandwidthShares.of(0.8, List.of(10.0, 20.0, 90.0));

        assertThat(shares.get(0)).isCloseTo(1.4 / 3, EXACTLY);
        assertThat(shares.get(1)).isCloseTo(2.8 / 3, EXACTLY);
        assertThat(shares.get(2)).isEqualTo(1);
    }

    @Test
    void meanOneSendsEverything() {
        assertThat(BandwidthShares.of(1, List.of(1e6, 1e9, 1e12)))
                .allSatisfy(share -> assertThat(share).isCloseTo(1, EXACTLY));
    }

    @Test
    void meanZeroSendsNothing() {
        assertThat(BandwidthShares.of(0, List.of(1e6, 1e12)))
                .allSatisfy(share -> assertThat(share).isCloseTo(0, EXACTLY));
    }
}
