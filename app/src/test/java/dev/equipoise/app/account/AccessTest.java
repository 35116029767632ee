package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AccessTest {

    private static final UUID MINE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    @Test
    void rolesIncludeLowerRoles() {
        assertThat(Role.EDITOR.includes(Role.VIEWER)).isTrue();
        assertThat(Role.EDITOR.includes(Role.EDITOR)).isTrue();
        assertThat(Role.EDITOR.includes(Role.OWNER)).isFalse();
        assertThat(Role.OWNER.includes(Role.ADMINISTRATOR)).isFalse();
    }

    @Test
    void roleInOneProjectGrantsNothingInAnother() {
        Access access = Access.within(MINE, Role.OWNER);

        assertThat(access.allows(Role.OWNER, MINE)).isTrue();
        assertThat(access.allows(Role.VIEWER, OTHER)).isFalse();
        assertThat(access.visible()).hasValueSatisfying(it -> assertThat(it).containsOnly(MINE));
        assertThat(access.isAdministrator()).isFalse();
    }

    @Test
    void tokenLimitsTheAccessOfItsUser() {
        Access access = new Access(null, Map.of(MINE, Role.OWNER, OTHER, Role.VIEWER));

        assertThat(access.atMost(Role.EDITOR))
                .isEqualTo(new Access(null, Map.of(MINE, Role.EDITOR, OTHER, Role.VIEWER)));
        assertThat(access.onlyIn(MINE)).isEqualTo(Access.within(MINE, Role.OWNER));
        assertThat(Access.within(MINE, Role.OWNER).onlyIn(OTHER))
                .isEqualTo(new Access(null, Map.of()));
    }

    @Test
    void viewerTokenOfAnAdministratorSeesAllAndChangesNothing() {
        Access access = Access.everywhere(Role.ADMINISTRATOR).atMost(Role.VIEWER);

        assertThat(access.visible()).isEmpty();
        assertThat(access.allows(Role.VIEWER, OTHER)).isTrue();
        assertThat(access.allows(Role.EDITOR, OTHER)).isFalse();
        assertThat(access.isAdministrator()).isFalse();
    }

    @Test
    void projectTokenOfAnAdministratorHasTheRoleOwner() {
        Access access = Access.everywhere(Role.ADMINISTRATOR).onlyIn(MINE);

        assertThat(access).isEqualTo(Access.within(MINE, Role.OWNER));
        assertThat(access.isAdministrator()).isFalse();
    }
}
