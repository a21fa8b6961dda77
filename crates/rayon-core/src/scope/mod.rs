//! Scopes: tasks that are spawned one by one, may borrow, and are awaited together.
//!
//! [`core`] is what both kinds of scopes are made of. They differ in the order in which a thread runs what it has
//! spawned itself.

mod core;

use self::core::{Core, Pinned, Stays};
use crate::broadcast::BroadcastContext;
use crate::registry::{global, in_worker};
use filch::Pool;
use filch::is_worker;
use std::fmt;

/// The two kinds of scopes: names, and which functions of Filch open them.
macro_rules! scopes {
    ($(
        $Scope:ident, $scope:ident, $in_place:ident, $in_place_of:ident, $spawn:ident,
        $open:ident, $open_in_place:ident, $first:literal;
    )*) => {$(
        #[doc = concat!("A scope, into which tasks are spawned; [`", stringify!($scope), "`] makes one.")]
        ///
        #[doc = concat!("A thread that has spawned several tasks runs the ", $first, " first.")]
        pub struct $Scope<'scope> {
            core: Core<'scope>,
        }

        impl<'scope> $Scope<'scope> {
            /// Spawns a task, which is done when the scope ends. It may borrow what outlives the scope, and gets the
            /// scope, so that it can spawn in turn.
            ///
            /// # Panics
            ///
            /// Never. If the task panics, the scope panics at its end.
            pub fn $spawn<BODY>(&self, body: BODY)
            where
                BODY: FnOnce(&$Scope<'scope>) + Send + 'scope,
            {
                let pinned = Pinned::new(self);
                self.core.spawn(move || {
                    // SAFETY: a task runs before its scope has ended.
                    let scope = unsafe { pinned.get() };
                    _ = scope.core.run(|| body(scope));
                });
            }

            /// Spawns a task for each thread of the pool. The task may borrow what outlives the scope.
            ///
            /// # Panics
            ///
            /// Never. If a call of the task panics, the scope panics at its end.
            pub fn spawn_broadcast<BODY>(&self, body: BODY)
            where
                BODY: Fn(&$Scope<'scope>, BroadcastContext<'_>) + Send + Sync + 'scope,
            {
                let pinned = Pinned::new(self);
                self.core.spawn_broadcast(move |context| {
                    // SAFETY: a task runs before its scope has ended.
                    let scope = unsafe { pinned.get() };
                    _ = scope.core.run(|| body(scope, context));
                });
            }
        }

        impl fmt::Debug for $Scope<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($Scope)).field("core", &self.core).finish()
            }
        }

        /// Calls `op`, which may spawn tasks into the scope that it gets. Returns its result when all of them are done.
        ///
        /// `op` runs on a thread of a pool: on the calling one if it is such a thread, else on one of the global pool.
        ///
        /// # Panics
        ///
        /// If `op` or a task panics. All tasks run all the same, and the payload is that of the first panic.
        ///
        /// ```
        /// let mut squares = [0; 10];
        #[doc = concat!("rayon_core::", stringify!($scope), "(|scope| {")]
        ///     for (i, square) in squares.iter_mut().enumerate() {
        #[doc = concat!("        scope.", stringify!($spawn), "(move |_| *square = i * i);")]
        ///     }
        /// });
        /// assert_eq!(squares[9], 81);
        /// ```
        pub fn $scope<'scope, OP, R>(op: OP) -> R
        where
            OP: FnOnce(&$Scope<'scope>) -> R + Send,
            R: Send,
        {
            in_worker(|_| {
                let scope = $Scope { core: Core::new() };
                // SAFETY: `scope` stays in this variable. The body and the tasks have borrowed it, and end before this.
                let result = filch::$open(|_, inner| unsafe { scope.core.enter(inner, || op(&scope)) });
                scope.core.end(result)
            })
        }

        #[doc = concat!("Like [`", stringify!($scope), "`], but `op` runs on the calling thread, whatever it is, and")]
        /// need not be `Send`. The tasks run on the threads of the current pool, or else of the global one.
        ///
        /// # Panics
        ///
        #[doc = concat!("As [`", stringify!($scope), "`].")]
        pub fn $in_place<'scope, OP, R>(op: OP) -> R
        where
            OP: FnOnce(&$Scope<'scope>) -> R,
        {
            if !is_worker() {
                return $in_place_of(global(), op);
            }
            let scope = $Scope { core: Core::new() };
            // SAFETY: a thread that works for a pool opens a scope where it is, and calls the body itself.
            let op = unsafe { Stays::new(op) };
            let result = filch::$open(|_, inner| {
                // SAFETY: as in the scope that is not in place.
                let result = unsafe { scope.core.enter(inner, || op.into_inner()(&scope)) };
                // SAFETY: as for `op`.
                unsafe { Stays::new(result) }
            });
            scope.core.end(result.into_inner())
        }

        #[doc = concat!("[`", stringify!($in_place), "`], whose tasks run on the threads of `pool`.")]
        pub(crate) fn $in_place_of<'scope, OP, R>(pool: &Pool, op: OP) -> R
        where
            OP: FnOnce(&$Scope<'scope>) -> R,
        {
            let scope = $Scope { core: Core::new() };
            // SAFETY: as in the scope that is not in place.
            let result = pool.$open_in_place(|inner| unsafe { scope.core.enter(inner, || op(&scope)) });
            scope.core.end(result)
        }
    )*};
}

scopes! {
    Scope, scope, in_place_scope, in_place_scope_of, spawn,
        scope, scope_in_place, "newest";
    ScopeFifo, scope_fifo, in_place_scope_fifo, in_place_scope_fifo_of, spawn_fifo,
        scope_fifo, scope_fifo_in_place, "oldest";
}
