package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SiteOptionsTest {

    private static SiteOptions options(String... arguments) {
        return CommandLine.populateCommand(new SiteOptions(), arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--service=http://lab:8080", "--context=lab", "--ca=ca.pem"})
    void labOfThisMachineHasNoOptionOfAService(String option) {
        assertThatThrownBy(() -> options("--local", option).named(null))
                .isInstanceOf(UsageError.class)
                .hasMessage("--local starts a lab: omit --service, --context and --ca, or --local");
    }

    @Test
    void emptyOptionIsNoOptionOfAService() {
        assertThat(options("--local", "--ca=").named(null)).isEmpty();
    }
}
