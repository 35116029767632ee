package dev.equipoise.app.schedule;

import org.springframework.beans.factory.BeanFactory;

/** Does what the service does by its schedule, for services that have none. */
public final class TestingDuties {

    private TestingDuties() {}

    /** Loses workers whose last heartbeat is too long ago. */
    public static void loseSilentWorkers(BeanFactory service) {
        service.getBean(Duties.class).loseSilentWorkers();
    }

    /** Places what waits in the queue on workers that are idle. */
    public static void giveWork(BeanFactory service) {
        service.getBean(Duties.class).giveWork();
    }
}
