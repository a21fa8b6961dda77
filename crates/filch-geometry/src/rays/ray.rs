//! Rays that have been checked.

/// A half-line: an origin, and a direction that is not zero. All coordinates are finite numbers.
///
/// ```
/// use filch_geometry::Ray;
///
/// assert!(Ray::new([0.0; 3], [0.0, 0.0, -1.0]).is_ok());
/// let error = Ray::new([0.0; 3], [0.0; 3]).unwrap_err();
/// assert_eq!(error.to_string(), "direction of a ray: expected a coordinate that is not zero, found [0.0, 0.0, 0.0]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: [f64; 3],
    direction: [f64; 3],
}

/// Why this is not a [`Ray`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RayError {
    /// A coordinate of the origin is infinite or not a number.
    #[error("origin of a ray: expected finite coordinates, found {0:?}")]
    Origin([f64; 3]),
    /// A coordinate of the direction is infinite or not a number.
    #[error("direction of a ray: expected finite coordinates, found {0:?}")]
    Direction([f64; 3]),
    /// The direction is zero.
    #[error("direction of a ray: expected a coordinate that is not zero, found {0:?}")]
    NoDirection([f64; 3]),
}

impl Ray {
    /// Checks an origin and a direction, which may have any length but zero.
    ///
    /// # Errors
    ///
    /// If a coordinate is not finite, or the direction is zero.
    pub fn new(origin: [f64; 3], direction: [f64; 3]) -> Result<Self, RayError> {
        if !origin.iter().all(|x| x.is_finite()) {
            return Err(RayError::Origin(origin));
        }
        if !direction.iter().all(|x| x.is_finite()) {
            return Err(RayError::Direction(direction));
        }
        if direction == [0.0; 3] {
            return Err(RayError::NoDirection(direction));
        }
        Ok(Ray { origin, direction })
    }

    /// Where it begins.
    #[must_use]
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// Where it goes.
    #[must_use]
    pub fn direction(&self) -> [f64; 3] {
        self.direction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_or_has_no_direction_is_no_ray() {
        let bad = [0.0, f64::INFINITY, 0.0];
        assert_eq!(Ray::new(bad, [1.0; 3]), Err(RayError::Origin(bad)));
        assert_eq!(Ray::new([1.0; 3], bad), Err(RayError::Direction(bad)));
        assert_eq!(Ray::new([1.0; 3], [0.0, -0.0, 0.0]), Err(RayError::NoDirection([0.0; 3])));
        assert!(matches!(Ray::new([f64::NAN; 3], [0.0; 3]), Err(RayError::Origin(_))));
    }
}
